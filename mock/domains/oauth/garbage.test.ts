import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oddString } from '../../testing/every-operation/odd-values.ts';
import type { RunningMock } from '../../start-mock.ts';
import { readResponse, basic, CALLBACK, startFrozen } from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
});
afterAll(() => mock.close());

const words = (text: string) => text.split(' ');
const names = words(
  'grant_type client_id client_secret redirect_uri code code_verifier refresh_token token response_type scope state ' +
    'prompt login_hint decision code_challenge access_type __proto__',
);
const values = words(
  'authorization_code client_credentials refresh_token demo-client demo-secret demo-page code none allow agents:get ' +
    'mail-client mail-secret offline __proto__ constructor',
).concat(CALLBACK, '');
const text = fc.oneof(fc.constantFrom(...values), oddString);
const fields = fc.array(fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()), text));
const query = fields.map((pairs) => new URLSearchParams(pairs).toString());
const body = fc.oneof(
  query.map((sent) => ({ sent, type: 'application/x-www-form-urlencoded' })),
  fields.map((pairs) => ({ sent: JSON.stringify(Object.fromEntries(pairs)), type: 'application/json' })),
  fc.json().map((sent) => ({ sent, type: 'application/json' })),
  fc.string().map((sent) => ({ sent, type: 'application/x-www-form-urlencoded' })),
);
const header = fc.option(
  fc.oneof(
    fc.constant(basic('demo-client', 'demo-secret').authorization),
    fc.base64String().map((encoded) => `Basic ${encoded}`),
  ),
  { nil: undefined },
);

/** Whether the response is a success, a redirect to the registered URI, or an error with an OAuth error code. */
async function isValidResponse(path: string, init: RequestInit): Promise<boolean> {
  const response = await fetch(`${mock.addresses.host}${path}`, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  const result = await readResponse(response);
  const redirectsToClient = location === null || location.startsWith(`${CALLBACK}?`);
  return redirectsToClient && result.status < 500 && (result.status < 400 || typeof result.body['error'] === 'string');
}

test.each(['/oauth/token', '/oauth/revoke', '/oauth/authorize', '/_mock/idp/token', '/_mock/idp/authorize'])(
  'any POST to %s returns a success, a redirect to the client or an OAuth error',
  async (path) => {
    const property = fc.asyncProperty(body, header, ({ sent, type }, authorization) =>
      isValidResponse(path, {
        method: 'POST',
        body: sent,
        headers: { 'content-type': type, ...(authorization !== undefined && { authorization }) },
      }),
    );
    expect((await fc.check(property, { numRuns: 200 })).counterexample).toBeNull();
  },
);

test.each(['/oauth/authorize', '/_mock/idp/authorize'])(
  'any GET of %s returns a success, a redirect to the client or an OAuth error',
  async (path) => {
    const property = fc.asyncProperty(query, (sent) => isValidResponse(`${path}?${sent}`, {}));
    expect((await fc.check(property, { numRuns: 300 })).counterexample).toBeNull();
  },
);
