import { expect, test } from 'vitest';
import { RequestLimitError, TooManyRequestsError } from '../target/transport.ts';
import { asRequestLimit } from './request-limit.ts';
import type { Run } from './run.ts';

const clientWith = (call: () => Promise<unknown>) => ({ client: { call } as unknown as Run['client'] });
const refused = new TooManyRequestsError('PUT /a: too many requests (429)');

test('429 to every request is a limit for them if the target accepts another one', async () => {
  const found = await asRequestLimit(
    refused,
    clientWith(async () => ({})),
  );
  expect(found).toBeInstanceOf(RequestLimitError);
  expect((found as Error).message).toBe(refused.message);
});

test('429 to every other request as well is no such limit', async () => {
  expect(
    await asRequestLimit(
      refused,
      clientWith(() => Promise.reject(refused)),
    ),
  ).toBe(refused);
});

test.each([new RequestLimitError('a'), new Error('b')])('no request is sent because of %s', async (thrown) => {
  const client = clientWith(async () => ({}));
  expect(await asRequestLimit(thrown, client)).toBe(thrown);
});
