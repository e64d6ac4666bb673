import { expect, test } from 'vitest';
import type { Client, Exchange } from './client.ts';
import { refusalAsNotTried } from './refusal-as-not-tried.ts';
import { NotTried } from './violation.ts';

/** A client whose calls all get this exchange. */
const respondWith = (status: number, headers: object, credential?: string): Client =>
  ({
    call: async () =>
      ({ request: { headers }, response: { status }, ...(credential && { credential }) }) as unknown as Exchange,
  }) as unknown as Client;

const refusedWith = { Authorization: 'Bearer x' };

test.each([
  ['its own credential', false, respondWith(403, refusedWith, 'member')],
  ['no credential, of a caller without one', true, respondWith(401, { Accept: '*/*' })],
])('a refusal of %s says nothing', async (_, isAnonymous, client) => {
  await expect(refusalAsNotTried(client, isAnonymous).call('listAccounts')).rejects.toThrow(NotTried);
});

test.each([
  ['another credential', false, respondWith(401, refusedWith)],
  ['another credential, of a caller without one', true, respondWith(401, refusedWith)],
  ['no credential, of a caller with one', false, respondWith(401, {})],
  ['its own credential, by a mistake in the request', false, respondWith(400, refusedWith, 'member')],
])('a refusal of %s is returned', async (_, isAnonymous, client) => {
  const { response } = await refusalAsNotTried(client, isAnonymous).call('listAccounts');
  expect(response.status).toBeGreaterThanOrEqual(400);
});
