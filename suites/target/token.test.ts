import { afterEach, expect, test, vi } from 'vitest';
import { testTarget } from '../testing/test-run.ts';
import { localServer } from '../testing/local-server.ts';
import type { ReceivedRequest } from '../testing/local-server.ts';
import type { Target } from './target.ts';
import { createTokens, fetchToken, MAX_FAILURES, TokenError } from './token.ts';
import type { Token } from './token.ts';
import { createTransport, HarnessError } from './transport.ts';

afterEach(() => void vi.useRealTimers());

/** A server whose tokens are numbered. */
async function issuing(response: object, statusOf: (received: ReceivedRequest) => number = () => 200, secret = 's') {
  let issued = 0;
  const server = await localServer((received) => ({
    status: statusOf(received),
    body: { access_token: `token-${(issued += 1)}`, ...response },
  }));
  const transport = createTransport({ rate: 0 });
  const client = { tokenUrl: `${server.address}/token`, id: 'me', secret: { value: secret, name: 'S' } };
  return {
    seen: server.received,
    fetched: () => fetchToken(client, 'credentials.member', transport),
    tokensOf(target: Target) {
      const learned: string[] = [];
      const tokens = createTokens(target, transport, (token, name) => learned.push(`${token} ${name}`));
      return { tokens, learned };
    },
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function targetWith(member: Token): Target {
  const target = testTarget({ address: 'http://127.0.0.1:1' });
  return {
    ...target,
    credentials: { unrelated: { value: 'u', name: 'U' }, member: { name: 'M', ...member }, scoped: {} },
  };
}

test('a token is renewed after half of its lifetime, once for all requests, and passed to learn', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await issuing({ expires_in: '300' });
  const { tokens, learned } = issuer.tokensOf(targetWith(await issuer.fetched()));
  vi.setSystemTime(Date.now() + 149_000);
  expect(await tokens.valid('token-1')).toBe('token-1');
  vi.setSystemTime(Date.now() + 1000);
  const request = ['token-1', 'token-1', 'u', 'of nobody'];
  expect(await Promise.all(request.map((token) => tokens.valid(token)))).toEqual([
    'token-2',
    'token-2',
    'u',
    'of nobody',
  ]);
  vi.setSystemTime(Date.now() + 150_000);
  expect(await tokens.valid('token-1')).toBe('token-3');
  expect(learned).toEqual(['token-2 M', 'token-3 M']);
});

test.each([{}, { expires_in: null }, { expires_in: 'soon' }, { expires_in: '' }, { expires_in: true }])(
  'a token with the lifetime %j is never renewed',
  async (response) => {
    await using issuer = await issuing(response);
    const fetched = await issuer.fetched();
    expect(fetched.value).toBe('token-1');
    expect(fetched).not.toHaveProperty('renewal');
  },
);

test.each([0, '0', -1, 1e-9, 1.9])('a token that expires after %j seconds is used for one second', async (lifetime) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await issuing({ expires_in: lifetime });
  const { tokens } = issuer.tokensOf(targetWith(await issuer.fetched()));
  for (const token of ['token-1', 'token-2']) {
    vi.setSystemTime(Date.now() + 999);
    expect(await tokens.valid('token-1')).toBe(token);
    vi.setSystemTime(Date.now() + 1);
    await tokens.valid('token-1');
  }
  expect(issuer.seen).toHaveLength(3);
});

test('a client that is only accepted in the body continues to use it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await issuing({ expires_in: 300 }, ({ headers }) => (headers.authorization ? 401 : 200));
  const { tokens } = issuer.tokensOf(targetWith(await issuer.fetched()));
  expect(issuer.seen[1]?.body).toBe('grant_type=client_credentials&client_id=me&client_secret=s');
  vi.setSystemTime(Date.now() + 150_000);
  await tokens.valid('token-2');
  expect(issuer.seen.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, false, false]);
});

/** A token of 300 seconds. The server returns no other token until `mended` is true. */
async function failing() {
  vi.useFakeTimers({ toFake: ['Date'] });
  let status = 200;
  const issuer = await issuing({ expires_in: 300 }, () => status);
  const { tokens } = issuer.tokensOf(targetWith(await issuer.fetched()));
  status = 400;
  return {
    seen: issuer.seen,
    valid: () => tokens.valid('token-1'),
    wait: (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000),
    mended: (isMended = true) => void (status = isMended ? 200 : 400),
    [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose](),
  };
}

test('a token that cannot be renewed is sent until it expires; renewal is retried after half of the remaining time', async () => {
  await using issuer = await failing();
  issuer.wait(150);
  expect(await issuer.valid()).toBe('token-1');
  issuer.wait(74);
  expect(await issuer.valid()).toBe('token-1');
  expect(issuer.seen).toHaveLength(2);
  issuer.wait(1);
  expect(await issuer.valid()).toBe('token-1');
  expect(issuer.seen).toHaveLength(3);
  issuer.wait(75);
  await expect(issuer.valid()).rejects.toThrow(/^credentials\.member: .*status 400/);
  await expect(issuer.valid()).rejects.toThrow(HarnessError);
  issuer.mended();
  expect(await issuer.valid()).toBe('token-6');
});

test('renewal stops after too many consecutive failures', async () => {
  await using issuer = await failing();
  issuer.wait(300);
  for (let time = 1; time < MAX_FAILURES; time += 1) await expect(issuer.valid()).rejects.toThrow(HarnessError);
  issuer.mended();
  const token = await issuer.valid();
  expect(token).toBe(`token-${1 + MAX_FAILURES}`);
  issuer.mended(false);
  issuer.wait(300);
  for (let time = 1; time <= MAX_FAILURES + 2; time += 1) await expect(issuer.valid()).rejects.toThrow(HarnessError);
  expect(issuer.seen).toHaveLength(1 + 2 * MAX_FAILURES);
});

test('a token that is no longer renewed is sent until it expires', async () => {
  await using issuer = await failing();
  for (let time = 1; time <= 20; time += 1) {
    issuer.wait(14);
    expect(await issuer.valid()).toBe('token-1');
  }
  for (const left of [13, 5]) {
    issuer.wait(left);
    expect(await issuer.valid()).toBe('token-1');
  }
  issuer.wait(2);
  await expect(issuer.valid()).rejects.toThrow(HarnessError);
  issuer.mended();
  await expect(issuer.valid()).rejects.toThrow(HarnessError);
  expect(issuer.seen).toHaveLength(1 + MAX_FAILURES);
});

test('the error for a client without a token contains its place in the file', async () => {
  await using issuer = await issuing({}, () => 401);
  await expect(issuer.fetched()).rejects.toThrow(TokenError);
  await expect(issuer.fetched()).rejects.toThrow(/credentials\.member: .*status 401, then 401/);
});

test.each([
  ['invalid_target', '400 invalid_target, then 400 invalid_target'],
  ['a\u001b[2J', '400, then 400'],
])('the error for a client contains the code of the endpoint: %j', async (error, message) => {
  await using issuer = await issuing({ error }, () => 400);
  await expect(issuer.fetched()).rejects.toThrow(`(status ${message})`);
});

const NOT_DECODED = /status 401, then 401\), but does without form encoding of the id and secret in HTTP Basic/;

test.each<[string, string, string, RegExp, number]>([
  ['does not decode it', 'a+b/c=', 'me:a+b/c=', NOT_DECODED, 3],
  ['refuses it in every form', 'a+b/c=', 'me:other', /\(status 401, then 401\)\.$/, 3],
  ['refuses one that needs no encoding', 's', 'me:other', /\(status 401, then 401\)\.$/, 2],
])('the error for a secret at an endpoint that %s', async (_, secret, accepted, message, requestCount) => {
  const basic = `Basic ${Buffer.from(accepted).toString('base64')}`;
  await using issuer = await issuing({}, ({ headers }) => (headers.authorization === basic ? 200 : 401), secret);
  await expect(issuer.fetched()).rejects.toThrow(message);
  expect(issuer.seen).toHaveLength(requestCount);
});
