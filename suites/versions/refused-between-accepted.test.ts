import { expect, test } from 'vitest';
import type { Exchange } from '../target/client.ts';
import { testExchange } from '../testing/test-run.ts';
import { refusedBetweenAccepted } from './refused-between-accepted.ts';

const withStatus = (status: number): Exchange => ({
  ...testExchange,
  response: { ...testExchange.response, status },
});

/** Responds with these statuses, one after the other. */
const responding =
  (...statuses: number[]) =>
  async (): Promise<Exchange> =>
    withStatus(statuses.shift()!);

test.each([
  { statuses: [409], cause: 'a full quota' },
  { statuses: [200, 409, 409], cause: 'the unfinished deletion of the resource before' },
])('a version refused by $cause is not a mismatch', async ({ statuses }) => {
  expect(await refusedBetweenAccepted(responding(...statuses), 'latest')).toEqual([]);
});

test('another status is a mismatch between two requests that succeed without the version', async () => {
  const mismatches = await refusedBetweenAccepted(responding(200, 409, 200), 'latest');
  expect(mismatches).toContainEqual(expect.objectContaining({ actual: 'status 409' }));
});
