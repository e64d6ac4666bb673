import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { ReceivedRequest } from '../../testing/local-server.ts';
import { MAX_REFUSALS } from '../../target/refusals.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { acceptedAuthentication, requestToken } from './token-requests.ts';
import type { Fields, TokenRequest } from './token-requests.ts';

const grant = { grant_type: 'client_credentials' };
const refused = { error: 'invalid_client' };
/** Requests that tell how the client proves itself, where it can in neither way. */
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

/** How many of `times` requests arrive at a server that answers all with this, and what the last one came to. */
async function sendRequests(
  times: number,
  response: { status: number; body?: object },
  fields: Fields,
  options: TokenRequest = {},
) {
  await using server = await localServer(() => response);
  const run = runWith(server.address);
  let trouble = '';
  for (let time = 0; time < times; time += 1)
    await requestToken(run, fields, options).catch((error: Error) => (trouble = error.message));
  return { arrived: server.received.length, trouble };
}

test.each([{ status: 401 }, { status: 401, body: refused }, { status: 400, body: refused }])(
  'the client is used no more once it was refused so often in a row, in both ways the first time (%j)',
  async (response) => {
    const { arrived, trouble } = await sendRequests(MAX_REFUSALS + 2, response, grant);
    expect(arrived).toBe(TO_LEARN + MAX_REFUSALS - 1);
    expect(trouble).toContain('SVC_CLIENT_SECRET');
  },
);

test('what is refused for another reason, as somebody else, or in the body counts for nothing', async () => {
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
  ['HTTP Basic where the server takes it', () => 200, [true, true]],
  ['HTTP Basic where neither is taken', () => 401, [true, false, true]],
  ['the body where the server takes the client there only', isBasic(400, 200), [true, false, false]],
  ['HTTP Basic where the body gets no further', isBasic(401, 400), [true, false, true]],
])('a client proves itself by %s', async (_, statusOf, byBasic) => {
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
  'a client refused by HTTP Basic, and answered %i %j in the body, proves itself by %s',
  async (status, body, proof) => {
    await using server = await localServer(({ headers }) =>
      headers.authorization === undefined ? { status, body } : { status: 401, body: refused },
    );
    expect(await acceptedAuthentication(runWith(server.address))).toBe(proof);
  },
);

test('how the client proves itself is asked with the scopes that it has', async () => {
  await using server = await localServer(({ body }) =>
    body.includes('scope=a+b%3Ac')
      ? { body: { access_token: 'a' } }
      : { status: 400, body: { error: 'invalid_request' } },
  );
  expect(await acceptedAuthentication(runWith(server.address, ['a', 'b:c']))).toBe('basic');
  expect(server.received).toHaveLength(1);
});

/** One status to HTTP Basic, another to everything else. */
function isBasic(basic: number, other: number): (received: ReceivedRequest) => number {
  return ({ headers }) => (headers.authorization === undefined ? other : basic);
}
