import { expect, test } from 'vitest';
import type { Target } from '../../target/target.ts';
import { localServer } from '../../testing/local-server.ts';
import type { ReceivedRequest } from '../../testing/local-server.ts';
import { ADMIN, openTestRun } from '../../testing/test-run.ts';
import { acceptedVariants, clientFor, callerVariants, rotateVariants, defaultVariant } from './caller-variants.ts';

const both: Target['credentials'] = {
  admin: { value: ADMIN, name: 'SVC_ADMIN_TOKEN' },
  apiKey: { value: 'marked-api-key', name: 'SVC_API_KEY' },
  scoped: {},
};

const carriedBy = ({ headers }: ReceivedRequest) => [headers['authorization'], headers['x-svc-authorization']];

test('each way carries its credential in its header and nowhere else', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  for (const way of callerVariants(run)) await clientFor(run, way).call('listAccounts');
  expect(server.received.map(carriedBy)).toEqual([
    [`Bearer ${ADMIN}`, undefined],
    [undefined, 'Bearer marked-api-key'],
    [undefined, `Bearer ${ADMIN}`],
    ['Bearer marked-api-key', undefined],
  ]);
});

test('a target with one credential is asked in either header', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address });
  expect(callerVariants(run)).toEqual([defaultVariant, { caller: 'strongest', header: 'brand' }]);
});

test('ways in which a valid request is refused are left out, and found out once a run', async () => {
  await using server = await localServer((received) => ({
    status: carriedBy(received)[0] === undefined ? 401 : 200,
    body: [],
  }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  const ways = () => acceptedVariants(run, 'list accounts', (as) => as.call('listAccounts'));
  expect(await ways()).toEqual([defaultVariant, { caller: 'apiKey', header: 'standard' }]);
  const { length } = server.received;
  await ways();
  expect(server.received).toHaveLength(length);
});

test('examples that take turns themselves meet every way', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const ways = callerVariants(openTestRun({ address: server.address, target: { credentials: both } }));
  const examples = Array.from({ length: 16 }, (_, index) => ({ place: index % 4 }));
  expect(new Set(rotateVariants(ways, examples).map((each) => JSON.stringify(each))).size).toBe(16);
});
