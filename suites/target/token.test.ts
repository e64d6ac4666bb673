import { afterEach, expect, test, vi } from 'vitest';
import { testTarget } from '../test-run.ts';
import { localServer } from './local-server.ts';
import type { Seen } from './local-server.ts';
import type { Target } from './target.ts';
import { createTokens, fetchToken } from './token.ts';
import type { Token } from './token.ts';
import { createTransport, Trouble } from './transport.ts';

afterEach(() => void vi.useRealTimers());

/** Its tokens are numbered. */
async function issuing(answer: object, statusOf: (seen: Seen) => number = () => 200) {
  let issued = 0;
  const server = await localServer((seen) => ({
    status: statusOf(seen),
    body: { access_token: `token-${(issued += 1)}`, ...answer },
  }));
  const transport = createTransport({ rate: 0 });
  const client = { tokenUrl: `${server.address}/token`, id: 'me', secret: { value: 's', name: 'S' } };
  return {
    seen: server.seen,
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

test('a token is fetched anew once half of its time is over, once for all who ask, and is told', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await issuing({ expires_in: '300' });
  const { tokens, learned } = issuer.tokensOf(targetWith(await issuer.fetched()));
  vi.setSystemTime(Date.now() + 149_000);
  expect(await tokens.valid('token-1')).toBe('token-1');
  vi.setSystemTime(Date.now() + 1000);
  const asked = ['token-1', 'token-1', 'u', 'of nobody'];
  expect(await Promise.all(asked.map((token) => tokens.valid(token)))).toEqual([
    'token-2',
    'token-2',
    'u',
    'of nobody',
  ]);
  vi.setSystemTime(Date.now() + 150_000);
  expect(await tokens.valid('token-1')).toBe('token-3');
  expect(learned).toEqual(['token-2 M', 'token-3 M']);
});

test.each([{}, { expires_in: null }, { expires_in: 'soon' }, { expires_in: 0 }])(
  'a token that says %j of its end is kept',
  async (answer) => {
    await using issuer = await issuing(answer);
    expect(await issuer.fetched()).toEqual({ value: 'token-1' });
  },
);

test('a client that is taken in the body only goes on in that way', async () => {
  await using issuer = await issuing({ expires_in: 1e-9 }, ({ headers }) => (headers.authorization ? 401 : 200));
  const { tokens } = issuer.tokensOf(targetWith(await issuer.fetched()));
  expect(issuer.seen[1]?.body).toBe('grant_type=client_credentials&client_id=me&client_secret=s');
  await tokens.valid('token-2');
  expect(issuer.seen.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, false, false]);
});

test('whoever asks after a failure tries again', async () => {
  let status = 200;
  await using issuer = await issuing({ expires_in: 1e-9 }, () => status);
  const { tokens } = issuer.tokensOf(targetWith(await issuer.fetched()));
  status = 400;
  await expect(tokens.valid('token-1')).rejects.toThrow(Trouble);
  status = 200;
  expect(await tokens.valid('token-1')).toBe('token-3');
});

test('a client that gets no token is named by its place', async () => {
  await using issuer = await issuing({}, () => 401);
  await expect(issuer.fetched()).rejects.toThrow(Trouble);
  await expect(issuer.fetched()).rejects.toThrow(/credentials\.member: .*status 401, then 401/);
});
