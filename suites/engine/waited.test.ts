import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { status } from '../expect/status.ts';
import { noteWait } from '../target/eventually.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import { runCase, type Case } from './run-case.ts';

test('a smaller input that is not awaited again says how long the first one was', async () => {
  const inputs: number[] = [];
  const tries: Case['try'] = (run) =>
    run.forAll({ count: fc.nat({ max: 100 }) }, async ({ count }) => {
      const exchange = await run.client.call('listAccounts');
      if (count < 5) return [];
      if (inputs.push(count) === 1) noteWait(exchange, 55);
      return status(exchange, 500);
    });
  await using server = await localServer(() => ({}));
  const { context, close } = openTestContext({ address: server.address });
  const { result } = await runCase({ rule: requirement('metrics.group-by.at-most-three'), try: tries }, context);
  await close();
  expect(inputs.length).toBeGreaterThan(1);
  expect(result).toMatchObject({ verdict: 'failed', counterexample: { input: { count: 5 }, waitedSeconds: 55 } });
});
