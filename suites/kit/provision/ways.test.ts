import { expect, test } from 'vitest';
import type { Target } from '../../target/target.ts';
import { localServer } from '../../testing/local-server.ts';
import type { Seen } from '../../testing/local-server.ts';
import { ADMIN, openTestRun } from '../../testing/test-run.ts';
import { acceptedWays, clientBy, everyWay, inTurn, plainWay } from './ways.ts';

const both: Target['credentials'] = {
  admin: { value: ADMIN, name: 'SVC_ADMIN_TOKEN' },
  apiKey: { value: 'marked-api-key', name: 'SVC_API_KEY' },
  scoped: {},
};

const carriedBy = ({ headers }: Seen) => [headers['authorization'], headers['x-svc-authorization']];

test('each way carries its credential in its header and nowhere else', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  for (const way of everyWay(run)) await clientBy(run, way).call('listAccounts');
  expect(server.seen.map(carriedBy)).toEqual([
    [`Bearer ${ADMIN}`, undefined],
    [undefined, 'Bearer marked-api-key'],
    [undefined, `Bearer ${ADMIN}`],
    ['Bearer marked-api-key', undefined],
  ]);
});

test('a target with one credential is asked in either header', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address });
  expect(everyWay(run)).toEqual([plainWay, { caller: 'strongest', header: 'brand' }]);
});

test('ways in which a valid request is refused are left out, and found out once a run', async () => {
  await using server = await localServer((seen) => ({
    status: carriedBy(seen)[0] === undefined ? 401 : 200,
    body: [],
  }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  const ways = () => acceptedWays(run, 'list accounts', (as) => as.call('listAccounts'));
  expect(await ways()).toEqual([plainWay, { caller: 'apiKey', header: 'standard' }]);
  const { length } = server.seen;
  await ways();
  expect(server.seen).toHaveLength(length);
});

test('examples that take turns themselves meet every way', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const ways = everyWay(openTestRun({ address: server.address, target: { credentials: both } }));
  const examples = Array.from({ length: 16 }, (_, index) => ({ place: index % 4 }));
  expect(new Set(inTurn(ways, examples).map((each) => JSON.stringify(each))).size).toBe(16);
});
