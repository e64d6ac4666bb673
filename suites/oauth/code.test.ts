import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { schedule } from '../engine/schedule.ts';
import { challengeOf } from '../kit/oauth/grants.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const REDIRECT_URI = 'https://app.example.com/callback';
const rules = [
  'oauth.code.good-once',
  'oauth.code.redirect-uri-identical',
  'oauth.code.verifier-checked',
] as const satisfies RequirementId[];

interface Breaches {
  readonly repeated?: true;
  readonly anyUri?: true;
  readonly withoutUri?: true;
  readonly anyVerifier?: true;
  readonly withoutVerifier?: true;
  /** Of the OpenID discovery document, if there is one. */
  readonly scopes?: readonly string[];
}

/**
 * A server with one user and one client, as oidc-provider 9.13 may be configured, and @cloudflare/workers-oauth-provider is by
 * default: a new code replaces the unused one, and the second exchange of a code revokes all.
 */
const replacingServer = ({ repeated, anyUri, withoutUri, anyVerifier, withoutVerifier, scopes }: Breaches) => {
  const codes = new Map<string, URLSearchParams>();
  const used = new Set<string>();
  let count = 0;
  const invalid = { status: 400, body: { error: 'invalid_grant' } };
  return localServer(({ url, body }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/.well-known/openid-configuration')
      return scopes === undefined
        ? { status: 404 }
        : { body: { scopes_supported: scopes, code_challenge_methods_supported: ['plain', 'S256'] } };
    if (pathname === '/oauth/authorize') {
      const code = `code-${(count += 1)}`;
      for (const each of codes.keys()) if (!used.has(each)) codes.delete(each);
      codes.set(code, searchParams);
      return { status: 302, headers: { Location: `${REDIRECT_URI}?code=${code}&state=${searchParams.get('state')}` } };
    }
    if (pathname !== '/oauth/token') return { body: {} };
    const sent = new URLSearchParams(body);
    const token = { body: { access_token: 'issued-token', token_type: 'Bearer' } };
    if (sent.get('grant_type') === 'client_credentials') return token;
    const code = sent.get('code') ?? '';
    const asked = codes.get(code);
    const isRepeated = used.has(code) && repeated === undefined;
    if (isRepeated) codes.clear();
    if (asked === undefined || isRepeated) return invalid;
    const [uri, verifier] = [sent.get('redirect_uri'), sent.get('code_verifier')];
    const isUri = uri === null ? withoutUri === true : anyUri === true || uri === asked.get('redirect_uri');
    const challenge = asked.get('code_challenge');
    const isVerifier =
      verifier === null ? withoutVerifier === true : anyVerifier === true || challengeOf(verifier) === challenge;
    if (!isUri || (challenge !== null && !isVerifier)) return invalid;
    used.add(code);
    return token;
  });
};

/** The cases run as in a run, at the same time. */
async function failedOn(breaches: Breaches): Promise<string[]> {
  await using server = await replacingServer(breaches);
  const client = {
    id: 'assay',
    secret: { value: 'a-secret', name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    authorizationUrl: `${server.address}/oauth/authorize`,
    redirectUri: REDIRECT_URI,
    scopes: [],
  };
  const run = openTestContext({ address: server.address, target: { client } });
  const cases = await collectCases(rules);
  const outcomes = schedule(cases.values(), { ...run.context, concurrency: 16 });
  const results = await Promise.all(outcomes.values());
  await run.close();
  const tried = results.filter(({ result }) => result.verdict !== 'not-tried');
  expect(tried.map(({ result }) => result.id)).toHaveLength(rules.length);
  return results.filter(({ result }) => result.verdict !== 'passed').map(({ result }) => result.id);
}

test('a server that replaces and revokes codes of the same client passes', async () => {
  expect(await failedOn({})).toEqual([]);
});

test.each<[keyof Breaches, RequirementId]>([
  ['repeated', 'oauth.code.good-once'],
  ['anyUri', 'oauth.code.redirect-uri-identical'],
  ['withoutUri', 'oauth.code.redirect-uri-identical'],
  ['anyVerifier', 'oauth.code.verifier-checked'],
])('a defect of such a server is not hidden by a code that was replaced: %s', async (breach, rule) => {
  expect(await failedOn({ [breach]: true })).toEqual([rule]);
});

// OpenID Connect Core 1.0 section 3.1.3.2.
test.each<[readonly string[], RequirementId[]]>([
  [['openid', 'profile'], []],
  [['agents:get'], ['oauth.code.redirect-uri-identical']],
])('a missing redirect_uri is accepted of an OpenID provider: scopes %j', async (scopes, failed) => {
  expect(await failedOn({ withoutUri: true, scopes })).toEqual(failed);
});

test('a server that lists PKCE only as an OpenID provider has to verify, like oauth2-mock-server 8.2, which does not', async () => {
  expect(await failedOn({ withoutVerifier: true, scopes: ['openid'] })).toEqual(['oauth.code.verifier-checked']);
});
