import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'oauth.scopes.never-exceeded-silently';
const SCOPES = ['agents:get', 'agents:update'];

/** The claims of a token for these scopes, and the scope of the response. */
type Grant = (requested: readonly string[]) => { readonly claims?: object; readonly scope?: string } | undefined;

const jwt = (claims: object): string => `${encoded({ alg: 'EdDSA' })}.${encoded(claims)}.c2lnbmF0dXJl`;

/** The verdict on a token endpoint that refuses what is not among its scopes. */
async function verdictOn(grant: Grant, scopes: readonly string[] = SCOPES): Promise<string> {
  await using server = await localServer(({ body }) => {
    const requested = (new URLSearchParams(body).get('scope') ?? scopes.join(' ')).split(' ');
    const granted = requested.every((each) => scopes.includes(each)) ? grant(requested) : undefined;
    if (granted === undefined) return { status: 400, body: { error: 'invalid_scope' } };
    const { claims, scope } = granted;
    return { body: { access_token: claims === undefined ? 'opaque' : jwt(claims), token_type: 'Bearer', scope } };
  });
  const client = {
    id: 'assay',
    secret: { value: 'a-secret', name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    scopes,
  };
  const run = openTestContext({ address: server.address, target: { client } });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result.verdict;
}

const all = SCOPES.join(' ');
const conforming: Readonly<Record<string, Grant>> = {
  'grants what is requested': (requested) => ({ claims: { scope: requested.join(' ') }, scope: requested.join(' ') }),
  'does not repeat a scope that is granted as requested': (requested) => ({ claims: { scp: requested } }),
  'always grants everything and says so': () => ({ claims: { scope: all }, scope: all }),
  'always grants everything in a token that cannot be read': (requested) => ({ scope: requested.join(' ') }),
  'grants no scope alone': (requested) => (requested.length > 1 ? { scope: requested.join(' ') } : undefined),
  'adds scopes of its own': (requested) => ({ claims: { scope: ['openid', ...requested].join(' ') } }),
};

test.each(Object.entries(conforming))('a server that %s conforms', async (_, grant) => {
  expect(await verdictOn(grant)).toBe('passed');
});

const narrowing: Readonly<Record<string, Grant>> = {
  'reports the requested scope of a token with more': (requested) => ({
    claims: { scope: all },
    scope: requested.join(' '),
  }),
  'reports no scope of a token with more than requested': () => ({ claims: { scp: SCOPES } }),
};

test.each(Object.entries(narrowing))('a server that %s fails', async (_, grant) => {
  expect(await verdictOn(grant)).toBe('failed');
});

test('the scope admin may be a token with every scope', async () => {
  const grant: Grant = (requested) => ({
    claims: { scope: requested.includes('admin') ? `admin ${all}` : requested.join(' ') },
    scope: requested.join(' '),
  });
  expect(await verdictOn(grant, ['admin', ...SCOPES])).toBe('passed');
});
