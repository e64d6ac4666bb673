import { describe, expect, test } from 'vitest';
import { challengeOf } from '../kit/oauth/grants.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';

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
const token = (fields: Record<string, string>, response: Partial<Described> = {}): Described => ({
  method: 'POST',
  surface: 'host',
  url: '/oauth/token',
  headers: form,
  sentText: new URLSearchParams(fields).toString(),
  received: { access_token: '(redacted)', token_type: 'Bearer' },
  ...response,
});

const refused = (error: string, status = 400): Partial<Described> => ({ status, received: { error } });

/** An authorization request that gets a code. */
function authorization(more: Record<string, string> = {}, code = CODE): Described {
  const query = new URLSearchParams({ response_type: 'code', redirect_uri: REDIRECT_URI, ...more });
  const result = new URLSearchParams({ code, ...(more['state'] && { state: more['state'] }) });
  const location = `${REDIRECT_URI}?${result.toString()}`;
  return { surface: 'host', url: `/oauth/authorize?${query.toString()}`, status: 302, responseHeaders: { location } };
}

const exchange = (more: Record<string, string> = {}, response?: Partial<Described>, code = CODE): Described =>
  token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more }, response);

describe('a code that is exchanged twice', () => {
  const judge = (...given: Described[]) => judgeExchanges('oauth.code.good-once', given);

  test('must be refused with invalid_grant', () => {
    expect(judge(exchange(), exchange())).toEqual(['says nothing', 'breaks']);
    expect(judge(exchange(), exchange({}, refused('invalid_grant')))).toEqual(['says nothing', 'keeps']);
    expect(judge(exchange(), exchange({}, refused('invalid_request')))).toEqual(['says nothing', 'breaks']);
  });

  test.each(['invalid_client', 'unauthorized_client'])('may be refused with %s', (error) => {
    expect(judge(exchange(), exchange({}, refused(error)))).toEqual(['says nothing', 'says nothing']);
  });

  test('is not judged with other parameters, unless there is a token', () => {
    const other = { redirect_uri: `${REDIRECT_URI}/` };
    expect(judge(exchange(), exchange(other, refused('invalid_request')))).toEqual(['says nothing', 'says nothing']);
    expect(judge(exchange(), exchange(other))).toEqual(['says nothing', 'breaks']);
  });

  test.each(['(redacted)', '********', 'SECRET', '$SVC_CODE', 'REDACTED-BY-THE-RECORDER'])(
    'may be a placeholder: %s',
    (code) => {
      expect(judge(exchange({}, {}, code), exchange({}, {}, code))).toEqual(['says nothing', 'says nothing']);
    },
  );
});

describe('the redirect_uri of an exchange', () => {
  const judge = (...given: Described[]) => judgeExchanges('oauth.code.redirect-uri-identical', given).at(-1);
  const other = { redirect_uri: 'https://app.example/other' };

  test('must be the one of the authorization request', () => {
    expect(judge(authorization(), exchange(other))).toBe('breaks');
    expect(judge(authorization(), exchange(other, refused('invalid_grant')))).toBe('keeps');
    expect(judge(authorization(), exchange())).toBe('says nothing');
    expect(judge(exchange(other))).toBe('says nothing');
  });

  test('may be missing, if the server may be an OpenID provider', () => {
    const missing = exchange({ redirect_uri: '' });
    const discovery = { surface: 'host', url: '/.well-known/openid-configuration' } as const;
    expect(judge(authorization(), missing)).toBe('says nothing');
    expect(judge({ ...discovery, status: 404 }, authorization(), missing)).toBe('breaks');
    expect(judge({ ...discovery, received: {} }, authorization(), missing)).toBe('says nothing');
  });

  test('is not judged for a code that two requests got: it is a placeholder', () => {
    expect(judge(authorization(), authorization(), exchange(other))).toBe('says nothing');
  });
});

describe('the code_verifier', () => {
  const judge = (...given: Described[]) => judgeExchanges('oauth.code.verifier-checked', given).at(-1);
  const issued = authorization({ code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256' });
  const metadata: Described = {
    surface: 'host',
    url: '/.well-known/oauth-authorization-server',
    received: { code_challenge_methods_supported: ['S256'] },
  };
  const wrong = { code_verifier: 'w'.repeat(43) };

  test('must be the right one, if the server supports PKCE', () => {
    expect(judge(metadata, issued, exchange(wrong))).toBe('breaks');
    expect(judge(metadata, issued, exchange(wrong, refused('invalid_grant')))).toBe('keeps');
    expect(judge(metadata, issued, exchange({ code_verifier: VERIFIER }))).toBe('says nothing');
    expect(judge(metadata, issued, exchange({ code_verifier: '(redacted)' }))).toBe('says nothing');
    expect(judge(issued, exchange(wrong))).toBe('says nothing');
  });

  test('must be there, if the server supports PKCE, even if that is known later', () => {
    expect(judge(metadata, issued, exchange())).toBe('breaks');
    expect(judge(issued, exchange())).toBe('says nothing');
    expect(judge(issued, exchange(), metadata)).toBe('breaks');
    expect(judge(issued, exchange({}, refused('invalid_grant')))).toBe('keeps');
  });
});

test('a state must be returned unchanged', () => {
  const judge = (given: Described) => judgeExchanges('oauth.authorize.state-returned', [given]);
  const [right, wrong] = [authorization({ state: 'a b' }), authorization({ state: 'a+b' })];
  expect(judge(right)).toEqual(['keeps']);
  expect(judge({ ...right, responseHeaders: wrong.responseHeaders! })).toEqual(['breaks']);
  expect(judge(authorization())).toEqual(['says nothing']);
  const redacted = authorization({ state: '[REDACTED]' });
  expect(judge({ ...right, responseHeaders: redacted.responseHeaders! })).toEqual(['says nothing']);
  expect(judge({ ...right, responseHeaders: { location: '/login?state=other' } })).toEqual(['says nothing']);
});

test('an unknown code is refused with invalid_grant: one that was made from an issued one', () => {
  const judge = (...given: Described[]) => judgeExchanges('oauth.errors.unknown-code', given).at(-1);
  const altered = CODE.replace('4', '5');
  expect(judge(authorization(), exchange({}, {}, altered))).toBe('breaks');
  expect(judge(authorization(), exchange({}, refused('invalid_request'), altered))).toBe('breaks');
  expect(judge(authorization(), exchange({}, {}, 'an-earlier-code-of-another-recording'))).toBe('says nothing');
});

describe('tokens', () => {
  const grant = { grant_type: 'client_credentials' };
  const jwt = (claims: object): string =>
    [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
    `.${'s'.repeat(43)}`;
  const now = Date.UTC(2026, 3, 1);
  const judge = (accessToken: string, sentAt?: number) =>
    judgeExchanges('oauth.token.is-a-jwt', [token(grant, { received: { access_token: accessToken }, sentAt })])[0];

  test('are JWTs that have not expired when they are issued, not when they are judged', () => {
    const exp = now / 1000 + 3600;
    expect(judge(jwt({ exp }), now)).toBe('keeps');
    expect(judge(jwt({ exp: exp - 7200 }), now)).toBe('breaks');
    expect(judge(jwt({ exp }))).toBe('keeps');
    expect(judge(jwt({}))).toBe('breaks');
  });

  test('may be encrypted JWTs of five parts, of which only the server can read the claims', () => {
    const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
    const others = ['', 'a'.repeat(16), 'b'.repeat(200), 'c'.repeat(22)];
    expect(judge([header, ...others].join('.'), now)).toBe('keeps');
    expect(judge([header, ...others.slice(1)].join('.'), now)).toBe('breaks');
    expect(judge([Buffer.from('{"alg":"RS256"}').toString('base64url'), ...others].join('.'), now)).toBe('breaks');
  });

  test.each(['(redacted)', 'SECRET', '********', '$SVC_TOKEN', 'd2a84f4b8b650937ec8f73cd8be2c74add5a911b'])(
    'may be placeholders: %s',
    (value) => {
      expect(judge(value)).toBe('says nothing');
    },
  );
});

test('an invented parameter must be ignored if the same request without it gets a token', () => {
  const judge = (...given: Described[]) => judgeExchanges('oauth.token.other-parameters-ignored', given).at(-1);
  const plain = token({ grant_type: 'client_credentials' });
  const more = (response: Partial<Described>) => token({ grant_type: 'client_credentials', assay_x: '1' }, response);
  expect(judge(plain, more(refused('invalid_request')))).toBe('breaks');
  expect(judge(plain, more({}))).toBe('keeps');
  expect(judge(more(refused('invalid_request')))).toBe('says nothing');
  expect(judge(plain, more(refused('invalid_client', 401)))).toBe('keeps');
  const known = token({ grant_type: 'client_credentials', audience: 'a' }, refused('invalid_request'));
  expect(judge(plain, known)).toBe('says nothing');
});

test('an unknown grant type is not judged if the client may be refused', () => {
  const judge = (fields: Record<string, string>, response: Partial<Described>) =>
    judgeExchanges('oauth.errors.grant-type', [token(fields, response)])[0];
  expect(judge({ grant_type: 'assay' }, refused('unsupported_grant_type'))).toBe('keeps');
  expect(judge({ grant_type: 'assay' }, refused('invalid_grant'))).toBe('breaks');
  expect(judge({ grant_type: 'assay' }, refused('invalid_client', 401))).toBe('says nothing');
  expect(
    judge(
      { grant_type: 'assay' },
      { headers: { 'content-type': form['content-type'] }, status: 400, received: { error: 'invalid_request' } },
    ),
  ).toBe('says nothing');
  expect(judge({ grant_type: 'urn:example:grant' }, refused('invalid_grant'))).toBe('says nothing');
  expect(judge({}, refused('invalid_request'))).toBe('keeps');
});
