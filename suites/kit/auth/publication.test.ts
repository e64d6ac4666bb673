import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { queryWithoutCredential, canBeJudged } from './publication.ts';

const agent = { name: 'demo-agent', spec: {} };

/** What an agent's GET shows, and what it answers without and with a credential. */
const deployments = [
  { shown: 'DEPLOYING', without: 200, withOne: 200, judged: false },
  { shown: 'DEPLOYED', without: 200, withOne: 200, judged: true },
  { shown: 'DEPLOYED', without: 500, withOne: 200, judged: true },
  { shown: undefined, without: 200, withOne: 200, judged: true },
  { shown: undefined, without: 503, withOne: 503, judged: false },
];

test.each(deployments)(
  'an agent that shows $shown and answers $without, and $withOne with a credential, is judged: $judged',
  async ({ shown: returned, without, withOne, judged }) => {
    await using server = await localServer(({ method, headers }) => {
      if (method === 'GET') return returned === undefined ? { status: 404 } : { body: { status: returned } };
      return { status: headers.authorization === undefined ? without : withOne };
    });
    const run = openTestRun({ address: server.address });
    expect(await canBeJudged(run, agent, await queryWithoutCredential(run, agent))).toBe(judged);
  },
);
