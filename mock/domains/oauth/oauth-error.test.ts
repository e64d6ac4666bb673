import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeMock } from '../../testing/control-client.ts';
import type { RunningMock } from '../../start-mock.ts';
import { readResponse, startFrozen } from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
  await changeMock(mock.addresses.host, 'POST', '/worlds', { id: 'other' });
});
afterAll(() => mock.close());

test.each([
  ['DELETE', '/oauth/token', 405],
  ['GET', '/oauth/revoke', 405],
  ['PUT', '/oauth/authorize', 405],
  ['POST', '/oauth/jwks', 405],
  ['POST', '/oauth/tokens', 404],
  ['DELETE', '/v0/oauth/token', 405],
  ['DELETE', '/_mock/w/other/oauth/token', 405],
])('%s %s is rejected in the form of RFC 6749', async (method, path, status) => {
  const response = await readResponse(await fetch(mock.addresses.host + path, { method }));
  expect(response).toMatchObject({ status, headers: expect.any(Headers) });
  expect(response.body).toEqual({ error: 'invalid_request', error_description: expect.stringContaining(path) });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.has('allow')).toBe(status === 405);
});

test('a fault rule for the token endpoint responds in its error format', async () => {
  await changeMock(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: 'requestToken', status: 503 }] });
  const response = await readResponse(await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST' }));
  expect(response).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
});

test('errors of other paths have the format of their surface', async () => {
  const response = await readResponse(
    await fetch(`${mock.addresses.host}/.well-known/openid-configuration`, { method: 'PUT' }),
  );
  expect(response).toMatchObject({ status: 405, body: { error: 'method_not_allowed', code: 405 } });
});
