import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { ReceivedRequest } from '../../testing/local-server.ts';
import { MAX_REFUSALS } from '../../target/refusals.ts';
import { NotTried } from '../../target/violation.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { acceptedAuthentication, requestToken } from './token-requests.ts';
import type { Fields, TokenRequest } from './token-requests.ts';

const grant = { grant_type: 'client_credentials' };
const refused = { error: 'invalid_client' };
/** The number of requests that determine the authentication method if both methods fail. */
const TO_LEARN = 2;

const runWith = (address: string, scopes: readonly string[] = []) =>
  openTestRun({
    address,
    target: {
      client: {
        id: 'assay',
        secret: { value: 'marked-secret', name: 'SVC_CLIENT_SECRET' },
        tokenUrl: `${address}/oauth/token`,
        scopes,
      },
    },
  });

/** Sends `times` requests to a server with a fixed response. Returns how many arrived, and the last error. */
async function sendRequests(
  times: number,
  response: { status: number; body?: object },
  fields: Fields,
  options: TokenRequest = {},
) {
  await using server = await localServer(() => response);
  const run = runWith(server.address);
  let failure: Error | undefined;
  for (let time = 0; time < times; time += 1)
    await requestToken(run, fields, options).catch((error: Error) => (failure = error));
  return { arrived: server.received.length, failure };
}

test.each([{ status: 401 }, { status: 401, body: refused }, { status: 400, body: refused }])(
  'the client is no longer used after too many consecutive refusals; the first counts once for both methods (%j)',
  async (response) => {
    const { arrived, failure } = await sendRequests(MAX_REFUSALS + 2, response, grant);
    expect(arrived).toBe(TO_LEARN + MAX_REFUSALS - 1);
    expect(failure).toBeInstanceOf(NotTried);
    expect(failure?.message).toMatch(/target accepts \(.*SVC_CLIENT_SECRET.* 5 times.* see oauth.client-credentials/);
  },
);

test('a refusal for another reason, of another client or with another method does not count', async () => {
  const times = MAX_REFUSALS + 2;
  const other = { status: 401, body: { error: 'invalid_grant' } };
  const as = { id: 'other', secret: { value: 'marked-other', name: 'SVC_WRONG_SECRET' } };
  expect((await sendRequests(times, other, grant)).arrived).toBe(TO_LEARN + times);
  expect((await sendRequests(times, { status: 401, body: refused }, grant, { as })).arrived).toBe(TO_LEARN + times);
  expect((await sendRequests(times, { status: 401, body: refused }, grant, { proof: 'post' })).arrived).toBe(
    TO_LEARN + times,
  );
});

test.each([
  ['HTTP Basic if the server accepts it', () => 200, [true, true]],
  ['HTTP Basic if the server accepts neither', () => 401, [true, false, true]],
  ['the body if the server accepts only that', isBasic(400, 200), [true, false, false]],
  ['HTTP Basic if the body is refused as well', isBasic(401, 400), [true, false, true]],
])('a client authenticates with %s', async (_, statusOf, byBasic) => {
  await using server = await localServer((received) => ({
    status: statusOf(received),
    body: { access_token: 'a-token' },
  }));
  await requestToken(runWith(server.address), grant);
  expect(server.received.map(({ headers }) => headers.authorization !== undefined)).toEqual(byBasic);
});

test.each([
  [400, { error: 'invalid_grant' }, 'post'],
  [400, { error: 'invalid_request' }, 'post'],
  [500, {}, 'post'],
  [401, {}, 'basic'],
  [400, refused, 'basic'],
])(
  'a client that is refused with HTTP Basic and gets %i %j in the body authenticates with %s',
  async (status, body, proof) => {
    await using server = await localServer(({ headers }) =>
      headers.authorization === undefined ? { status, body } : { status: 401, body: refused },
    );
    expect(await acceptedAuthentication(runWith(server.address))).toBe(proof);
  },
);

test('the authentication method is determined with the scopes of the client', async () => {
  await using server = await localServer(({ body }) =>
    body.includes('scope=a+b%3Ac')
      ? { body: { access_token: 'a' } }
      : { status: 400, body: { error: 'invalid_request' } },
  );
  expect(await acceptedAuthentication(runWith(server.address, ['a', 'b:c']))).toBe('basic');
  expect(server.received).toHaveLength(1);
});

/** Responds with one status to HTTP Basic and with another to everything else. */
function isBasic(basic: number, other: number): (received: ReceivedRequest) => number {
  return ({ headers }) => (headers.authorization === undefined ? other : basic);
}
