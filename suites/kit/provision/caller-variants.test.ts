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

test('each variant sends its credential in its own header only', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  for (const variant of callerVariants(run)) await clientFor(run, variant).call('listAccounts');
  expect(server.received.map(carriedBy)).toEqual([
    [`Bearer ${ADMIN}`, undefined],
    [undefined, 'Bearer marked-api-key'],
    [undefined, `Bearer ${ADMIN}`],
    ['Bearer marked-api-key', undefined],
  ]);
});

test('a target with one credential has a variant for each header', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const run = openTestRun({ address: server.address });
  expect(callerVariants(run)).toEqual([defaultVariant, { caller: 'strongest', header: 'brand' }]);
});

test('variants for which a valid request is refused are excluded, determined once per run', async () => {
  await using server = await localServer((received) => ({
    status: carriedBy(received)[0] === undefined ? 401 : 200,
    body: [],
  }));
  const run = openTestRun({ address: server.address, target: { credentials: both } });
  const accepted = () => acceptedVariants(run, 'list accounts', (as) => as.call('listAccounts'));
  expect(await accepted()).toEqual([defaultVariant, { caller: 'apiKey', header: 'standard' }]);
  const { length } = server.received;
  await accepted();
  expect(server.received).toHaveLength(length);
});

test('rotating examples are combined with every variant', async () => {
  await using server = await localServer(() => ({ status: 200, body: [] }));
  const variants = callerVariants(openTestRun({ address: server.address, target: { credentials: both } }));
  const examples = Array.from({ length: 16 }, (_, index) => ({ place: index % 4 }));
  expect(new Set(rotateVariants(variants, examples).map((each) => JSON.stringify(each))).size).toBe(16);
});
