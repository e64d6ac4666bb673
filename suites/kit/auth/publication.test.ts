import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { queryWithoutCredential, canBeJudged } from './publication.ts';

const agent = { name: 'demo-agent', spec: {} };

/** The deployment status that GET returns, and the statuses of queries without and with a credential. */
const deployments = [
  { returned: 'DEPLOYING', without: 200, withOne: 200, judged: false },
  { returned: 'DEPLOYED', without: 200, withOne: 200, judged: true },
  { returned: 'DEPLOYED', without: 500, withOne: 200, judged: true },
  { returned: undefined, without: 200, withOne: 200, judged: true },
  { returned: undefined, without: 503, withOne: 503, judged: false },
];

test.each(deployments)(
  'status $returned, $without without and $withOne with a credential: judged is $judged',
  async ({ returned, without, withOne, judged }) => {
    await using server = await localServer(({ method, headers }) => {
      if (method === 'GET') return returned === undefined ? { status: 404 } : { body: { status: returned } };
      return { status: headers.authorization === undefined ? without : withOne };
    });
    const run = openTestRun({ address: server.address });
    expect(await canBeJudged(run, agent, await queryWithoutCredential(run, agent))).toBe(judged);
  },
);
