import { describe, expect, test } from 'vitest';
import { challengeOf } from '../kit/oauth/grants.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Given } from '../testing/judge-exchanges.ts';

// Loads the suite files, which register the judgements.
await collectCases([
  'oauth.code.good-once',
  'oauth.authorize.state-returned',
  'oauth.errors.grant-type',
  'oauth.token.is-a-jwt',
]);

const CODE = 'c0de-4f8a2b6d1e9c';
const REDIRECT_URI = 'https://app.example/callback';
const VERIFIER = 'v'.repeat(43);
const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic $SVC_CLIENT_BASIC' };

/** A token request. */
const token = (fields: Record<string, string>, response: Partial<Given> = {}): Given => ({
  method: 'POST',
  path: '/oauth/token',
  headers: form,
  sent: new URLSearchParams(fields).toString(),
  body: { access_token: '(redacted)', token_type: 'Bearer' },
  ...response,
});

const refused = (error: string, status = 400): Partial<Given> => ({ status, body: { error } });

/** An authorization request that gets a code. */
function authorization(more: Record<string, string> = {}, code = CODE): Given {
  const query = new URLSearchParams({ response_type: 'code', redirect_uri: REDIRECT_URI, ...more });
  const result = new URLSearchParams({ code, ...(more['state'] && { state: more['state'] }) });
  const location = `${REDIRECT_URI}?${result.toString()}`;
  return { path: `/oauth/authorize?${query.toString()}`, status: 302, responseHeaders: { location } };
}

const exchange = (more: Record<string, string> = {}, response?: Partial<Given>, code = CODE): Given =>
  token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more }, response);

describe('a code that is exchanged twice', () => {
  const judge = (...given: Given[]) => judgeExchanges('oauth.code.good-once', given);

  test('must be refused with invalid_grant', () => {
    expect(judge(exchange(), exchange())).toEqual([undefined, 'violated']);
    expect(judge(exchange(), exchange({}, refused('invalid_grant')))).toEqual([undefined, 'valid']);
    expect(judge(exchange(), exchange({}, refused('invalid_request')))).toEqual([undefined, 'violated']);
  });

  test.each(['invalid_client', 'unauthorized_client'])('may be refused with %s', (error) => {
    expect(judge(exchange(), exchange({}, refused(error)))).toEqual([undefined, undefined]);
  });

  test('is not judged with other parameters, unless there is a token', () => {
    const other = { redirect_uri: `${REDIRECT_URI}/` };
    expect(judge(exchange(), exchange(other, refused('invalid_request')))).toEqual([undefined, undefined]);
    expect(judge(exchange(), exchange(other))).toEqual([undefined, 'violated']);
  });

  test.each(['(redacted)', '********', 'SECRET', '$SVC_CODE', 'REDACTED-BY-THE-RECORDER'])(
    'may be a placeholder: %s',
    (code) => {
      expect(judge(exchange({}, {}, code), exchange({}, {}, code))).toEqual([undefined, undefined]);
    },
  );
});

describe('the redirect_uri of an exchange', () => {
  const judge = (...given: Given[]) => judgeExchanges('oauth.code.redirect-uri-identical', given).at(-1);
  const other = { redirect_uri: 'https://app.example/other' };

  test('must be the one of the authorization request', () => {
    expect(judge(authorization(), exchange(other))).toBe('violated');
    expect(judge(authorization(), exchange(other, refused('invalid_grant')))).toBe('valid');
    expect(judge(authorization(), exchange())).toBeUndefined();
    expect(judge(exchange(other))).toBeUndefined();
  });

  test('may be missing, if the server may be an OpenID provider', () => {
    const missing = exchange({ redirect_uri: '' });
    const discovery = { path: '/.well-known/openid-configuration' };
    expect(judge(authorization(), missing)).toBeUndefined();
    expect(judge({ ...discovery, status: 404 }, authorization(), missing)).toBe('violated');
    expect(judge({ ...discovery, body: {} }, authorization(), missing)).toBeUndefined();
  });

  test('is not judged for a code that two requests got: it is a placeholder', () => {
    expect(judge(authorization(), authorization(), exchange(other))).toBeUndefined();
  });
});

describe('the code_verifier', () => {
  const judge = (...given: Given[]) => judgeExchanges('oauth.code.verifier-checked', given).at(-1);
  const issued = authorization({ code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256' });
  const metadata = {
    path: '/.well-known/oauth-authorization-server',
    body: { code_challenge_methods_supported: ['S256'] },
  };
  const wrong = { code_verifier: 'w'.repeat(43) };

  test('must be the right one, if the server supports PKCE', () => {
    expect(judge(metadata, issued, exchange(wrong))).toBe('violated');
    expect(judge(metadata, issued, exchange(wrong, refused('invalid_grant')))).toBe('valid');
    expect(judge(metadata, issued, exchange({ code_verifier: VERIFIER }))).toBeUndefined();
    expect(judge(metadata, issued, exchange({ code_verifier: '(redacted)' }))).toBeUndefined();
    expect(judge(issued, exchange(wrong))).toBeUndefined();
  });

  test('must be there, if the server supports PKCE, even if that is known later', () => {
    expect(judge(metadata, issued, exchange())).toBe('violated');
    expect(judge(issued, exchange())).toBeUndefined();
    expect(judge(issued, exchange(), metadata)).toBe('violated');
    expect(judge(issued, exchange({}, refused('invalid_grant')))).toBe('valid');
  });
});

test('a state must be returned unchanged', () => {
  const judge = (given: Given) => judgeExchanges('oauth.authorize.state-returned', [given]);
  const [right, wrong] = [authorization({ state: 'a b' }), authorization({ state: 'a+b' })];
  expect(judge(right)).toEqual(['valid']);
  expect(judge({ ...right, responseHeaders: wrong.responseHeaders! })).toEqual(['violated']);
  expect(judge(authorization())).toEqual([undefined]);
  const redacted = authorization({ state: '[REDACTED]' });
  expect(judge({ ...right, responseHeaders: redacted.responseHeaders! })).toEqual([undefined]);
  expect(judge({ ...right, responseHeaders: { location: '/login?state=other' } })).toEqual([undefined]);
});

test('an unknown code is refused with invalid_grant: one that was made from an issued one', () => {
  const judge = (...given: Given[]) => judgeExchanges('oauth.errors.unknown-code', given).at(-1);
  const altered = CODE.replace('4', '5');
  expect(judge(authorization(), exchange({}, {}, altered))).toBe('violated');
  expect(judge(authorization(), exchange({}, refused('invalid_request'), altered))).toBe('violated');
  expect(judge(authorization(), exchange({}, {}, 'an-earlier-code-of-another-recording'))).toBeUndefined();
});

describe('tokens', () => {
  const grant = { grant_type: 'client_credentials' };
  const jwt = (claims: object): string =>
    [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
    `.${'s'.repeat(43)}`;
  const now = Date.UTC(2026, 3, 1);
  const judge = (accessToken: string, recorded = {}) =>
    judgeExchanges('oauth.token.is-a-jwt', [token(grant, { body: { access_token: accessToken } })], recorded)[0];

  test('are JWTs that have not expired when they are issued, not when they are judged', () => {
    const exp = now / 1000 + 3600;
    expect(judge(jwt({ exp }), { sentAt: now })).toBe('valid');
    expect(judge(jwt({ exp: exp - 7200 }), { sentAt: now })).toBe('violated');
    expect(judge(jwt({ exp }))).toBe('valid');
    expect(judge(jwt({}))).toBe('violated');
  });

  test.each(['(redacted)', 'SECRET', '********', '$SVC_TOKEN', 'd2a84f4b8b650937ec8f73cd8be2c74add5a911b'])(
    'may be placeholders: %s',
    (value) => {
      expect(judge(value)).toBeUndefined();
    },
  );
});

test('an invented parameter must be ignored if the same request without it gets a token', () => {
  const judge = (...given: Given[]) => judgeExchanges('oauth.token.other-parameters-ignored', given).at(-1);
  const plain = token({ grant_type: 'client_credentials' });
  const more = (response: Partial<Given>) => token({ grant_type: 'client_credentials', assay_x: '1' }, response);
  expect(judge(plain, more(refused('invalid_request')))).toBe('violated');
  expect(judge(plain, more({}))).toBe('valid');
  expect(judge(more(refused('invalid_request')))).toBeUndefined();
  expect(judge(plain, more(refused('invalid_client', 401)))).toBe('valid');
  const known = token({ grant_type: 'client_credentials', audience: 'a' }, refused('invalid_request'));
  expect(judge(plain, known)).toBeUndefined();
});

test('an unknown grant type is not judged if the client may be refused', () => {
  const judge = (fields: Record<string, string>, response: Partial<Given>) =>
    judgeExchanges('oauth.errors.grant-type', [token(fields, response)])[0];
  expect(judge({ grant_type: 'assay' }, refused('unsupported_grant_type'))).toBe('valid');
  expect(judge({ grant_type: 'assay' }, refused('invalid_grant'))).toBe('violated');
  expect(judge({ grant_type: 'assay' }, refused('invalid_client', 401))).toBeUndefined();
  expect(
    judge(
      { grant_type: 'assay' },
      { headers: { 'content-type': form['content-type'] }, status: 400, body: { error: 'invalid_request' } },
    ),
  ).toBeUndefined();
  expect(judge({ grant_type: 'urn:example:grant' }, refused('invalid_grant'))).toBeUndefined();
  expect(judge({}, refused('invalid_request'))).toBe('valid');
});
