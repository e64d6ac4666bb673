import { expect, test } from 'vitest';
import { testExchange } from '../testing/test-run.ts';
import type { Exchange } from '../target/exchange.ts';
import { failureAgain } from './failure-again.ts';

const response = (status: number): Exchange => ({ ...testExchange, response: { ...testExchange.response, status } });
const found = (first: number[], plain: number, again: number[]) =>
  failureAgain(
    first.map(response),
    async () => response(plain),
    async () => again.map(response),
  );

test('500 for the same request again is a mismatch if a plain one succeeds in between', async () => {
  const [mismatch, ...others] = await found([200, 500], 200, [200, 500, 200]);
  expect(others).toEqual([]);
  expect(mismatch).toMatchObject({ expected: 'status 2xx or 4xx', actual: 'status 500' });
  expect(mismatch?.exchange.response.status).toBe(500);
  expect(mismatch?.concurrent).toHaveLength(2);
});

test.each<[string, number[], number, number[]]>([
  ['a refusal', [422], 200, [500]],
  ['a server that fails once', [500], 200, [200]],
  ['a refusal after a failure', [500], 200, [422]],
  ['a server that fails for everything', [500], 500, [500]],
])('%s is none', async (_, first, plain, again) => {
  expect(await found(first, plain, again)).toEqual([]);
});
