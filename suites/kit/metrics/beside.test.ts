import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../../testing/local-server.ts';
import { ADMIN, openTestRun } from '../../testing/test-run.ts';
import type { AskingOptions, Askings } from './beside.ts';
import { askings, groupedInTurn } from './beside.ts';

const key = { value: 'marked-key-secret', name: 'SVC_API_KEY' };
const member = { value: 'marked-member-secret', name: 'SVC_MEMBER_TOKEN' };
const admin = { value: ADMIN, name: 'SVC_ADMIN_TOKEN' };

/** Of a target that tells its metrics to whoever is not named. */
async function askingsOf(refused?: string, options?: AskingOptions): Promise<Askings> {
  const answer = ({ headers }: ReceivedRequest): LocalResponse => ({
    status: headers.authorization === `Bearer ${refused}` ? 403 : 200,
  });
  await using server = await localServer(answer);
  const credentials = { admin, apiKey: key, member, scoped: {} };
  return await askings(openTestRun({ address: server.address, target: { credentials } }), options);
}

const drawn = ({ any }: Askings) => fc.sample(any, { numRuns: 200, seed: 1 });

test('whoever is refused a plain question asks nothing', async () => {
  const asked = await askingsOf(key.value);
  const callers = [...asked.each, ...drawn(asked)].map(({ caller }) => caller);
  expect(new Set(callers)).toEqual(new Set(['strongest', 'member']));
});

test('nobody but the strongest names a workspace', async () => {
  const asked = await askingsOf();
  const naming = [...asked.each, ...drawn(asked)].filter(
    ({ beside }) => beside.workspace !== undefined || beside.groupBy?.split(',').includes('workspace'),
  );
  expect(new Set(naming.map(({ caller }) => caller))).toEqual(new Set(['strongest']));
});

test('every parameter stands beside alone, and what the rule is about never', async () => {
  const asked = await askingsOf(undefined, { without: ['limit'], resolutions: ['monthly'] });
  const alone = asked.each.map(({ beside }) => Object.keys(beside)).filter(({ length }) => length === 1);
  const filters = ['resourceType', 'resourceName', 'resourceUuid', 'billingDimension', 'workspace'];
  expect(alone.flat()).toEqual(['resolution', 'groupBy', ...filters]);
  const all = [...asked.each, ...drawn(asked)].map(({ beside }) => beside);
  expect(all.filter(({ limit }) => limit !== undefined)).toEqual([]);
  expect(new Set(all.map(({ resolution }) => resolution))).toEqual(new Set([undefined, 'monthly']));
});

test('lists that name a workspace are left to the strongest, the others go round', async () => {
  const { each } = await askingsOf();
  const lists = ['workspace', 'resource_type,workspace', 'resource_type', 'resource_name', 'billing_dimension'];
  const callers = groupedInTurn(lists, each.slice(0, 3)).map(([, { caller }]) => caller);
  expect(callers).toEqual(['strongest', 'strongest', 'member', 'strongest', 'apiKey']);
});

test('where all is refused, the page after the first one is asked for last', async () => {
  const json = { summary: {}, data: [], meta: { hasMore: true, nextCursor: 'next' } };
  await using server = await localServer(() => ({ status: 200, body: json }));
  const credentials = { admin, scoped: {} };
  const run = openTestRun({ address: server.address, target: { credentials } });
  const refusedIn = { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-02T00:00:00Z' };
  const [without, { each }] = [await askings(run), await askings(run, { refusedIn })];
  const beside = { ...refusedIn, groupBy: 'resource_type', limit: 1, cursor: 'next' };
  expect(each).toEqual([...without.each, { caller: 'strongest', beside }]);
});
