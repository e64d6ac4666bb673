/** oauth.token.*: token responses must not be cached, and have the documented fields. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Difference } from '../target/violation.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { objectIn, readJwt } from '../generators/tampered-jwt.ts';
import { status } from '../expect/status.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { fieldsOf, isOmitted } from '../json/fields.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import type { Fields } from '../kit/oauth/token-requests.ts';
import { exchangeCode, needComplete, newCode, requestOwnToken, scopedGrant } from '../kit/oauth/grants.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { errorOf, hasToken, isInvented, successOf, tokenRequestOf } from './seen-oauth.ts';

const tokenExchanges = sharedValue<Exchange[]>();

/** Judges responses with a token. */
const ofTokens =
  (mismatches: (exchange: Exchange) => readonly Mismatch[]) =>
  (seen: Seen): Judged =>
    successOf(seen) !== undefined && hasToken(seen) ? mismatches(seen.exchange) : undefined;

judges('oauth.token.no-store', 'requestToken', (seen) => {
  seen.responseHeader('cache-control');
  return ofTokens(noStore)(seen);
});

conforms('oauth.token.no-store', async (run) => {
  run.check(...(await tokenResponses(run)).map(noStore));
});

judges('oauth.token.is-a-jwt', 'requestToken', (seen) => {
  const token = successOf(seen)?.['access_token'];
  // Any other text may be a placeholder.
  if (typeof token !== 'string' || !/^eyJ[\w.=-]{40,}$/.test(token)) return undefined;
  return isJwt(seen.exchange, UNKNOWN_TIME);
});

conforms('oauth.token.is-a-jwt', async (run) => {
  run.check(...(await tokenResponses(run)).map((each) => isJwt(each)));
});

judges('oauth.token.type-is-bearer', 'requestToken', (seen) =>
  typeof successOf(seen)?.['token_type'] === 'string' ? ofTokens(notBearer)(seen) : undefined,
);

conforms('oauth.token.type-is-bearer', async (run) => {
  run.check(...(await tokenResponses(run)).map(notBearer));
});

judges('oauth.token.expires-in-agrees', 'requestToken', (seen) =>
  typeof successOf(seen)?.['expires_in'] === 'number'
    ? ofTokens((exchange) => expiresEarlier(exchange, UNKNOWN_TIME))(seen)
    : undefined,
);

conforms('oauth.token.expires-in-agrees', async (run) => {
  const limited = (await tokenResponses(run)).filter((each) => typeof tokenResponse(each).expires_in === 'number');
  run.need(limited.length, 'a token response with expires_in');
  run.check(...limited.map((each) => expiresEarlier(each)));
});

judges('oauth.token.member-types', 'requestToken', ofTokens(wrongTypes));

conforms('oauth.token.member-types', async (run) => {
  run.check(...(await tokenResponses(run)).map(wrongTypes));
});

judges('oauth.token.is-json', 'requestToken', (seen) => {
  // An error without a body of its own may come from a gateway.
  const isAnswer = seen.status === 200 || ([400, 401].includes(seen.status) && typeof errorOf(seen) === 'string');
  seen.responseHeader('content-type');
  return isAnswer ? notJson(seen.exchange) : undefined;
});

conforms('oauth.token.is-json', async (run) => {
  const unknownGrant = await requestToken(run, { grant_type: 'assay' });
  run.check(...[...(await tokenResponses(run)), unknownGrant].map(notJson));
});

judgesInOrder('oauth.token.other-parameters-ignored', 'requestToken', () => {
  const accepted = new Set<string>();
  return (seen) => {
    const request = tokenRequestOf(seen);
    if (request === undefined || request.get('grant_type') !== 'client_credentials') return undefined;
    const known = [...request].filter(([name, value]) => !isIgnored(name, value));
    const key = JSON.stringify([seen.header('authorization'), known]);
    const hasOthers = known.length < request.size;
    if (seen.status === 200) accepted.add(key);
    if (!hasOthers || !accepted.has(key)) return undefined;
    // Any other error may be about the client or its scopes.
    return seen.status === 400 && errorOf(seen) === 'invalid_request' ? status(seen.exchange, 200) : [];
  };
});

/** Whether a server must ignore the parameter: it has no value, or a name that assay invents. */
const isIgnored = (name: string, value: string): boolean =>
  value === '' || isInvented(name) || name === 'constructor' || name === 'toString';

conforms('oauth.token.other-parameters-ignored', async (run) => {
  const { fields, exchange } = await requestOwnToken(run);
  needComplete(run, exchange);
  run.need(exchange.response.status === 200, 'a token for the client');
  const extras = 'scope' in fields ? unknownParameters : [...unknownParameters, { scope: '' }];
  await run.forEach(extras, async (extra) => status(await requestToken(run, { ...fields, ...extra }), 200));
});

/** Names that no extension of OAuth uses, and names of members that every object has in some languages. */
const unknownParameters: readonly Fields[] = [
  { assay_unknown: 'assay' },
  { assay_unknown: '' },
  { 'assay:unknown[]': 'a=b&c' },
  { constructor: 'assay', toString: 'assay' },
];

/** One 200 response for each grant that this client can use. Throws NotTried if there is none. */
async function tokenResponses(run: Run): Promise<Exchange[]> {
  const responses = await tokenExchanges.get(run, async () => {
    const scopes = clientOf(run).scopes.slice(0, 1);
    const code = await undefinedIfNotTried(newCode(run));
    const byCode = code && (await exchangeCode(run, code));
    const { refresh_token } = byCode ? tokenResponse(byCode) : {};
    return [
      (await requestOwnToken(run)).exchange,
      (await requestOwnToken(run, { proof: 'post' })).exchange,
      ...(await Promise.all(scopes.map((scope) => undefinedIfNotTried(scopedGrant(run, scope))))),
      byCode,
      refresh_token === undefined ? undefined : await requestToken(run, { grant_type: 'refresh_token', refresh_token }),
    ].filter((exchange) => exchange !== undefined);
  });
  const successful = responses.filter((exchange) => exchange.response.status === 200);
  if (successful.length === 0) responses.slice(0, 1).forEach((own) => needComplete(run, own));
  run.need(successful.length, 'a successful token response');
  return successful;
}

/** RFC 6749 section 5.1. Directives are case-insensitive (RFC 9111 section 5.2), and there may be others. */
function noStore(exchange: Exchange): Mismatch[] {
  const value = exchange.response.headers['cache-control'];
  const directives = (value ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return [];
  const actual = value === undefined ? 'no Cache-Control' : `Cache-Control: ${value}`;
  return [{ expected: 'Cache-Control: no-store', actual, exchange }];
}

/** RFC 6749 section 5.1 and appendices A.4 and A.14. Null counts as absent. */
const memberForms: Readonly<Record<string, readonly [expected: string, holds: (value: unknown) => boolean]>> = {
  access_token: ['a string', isText],
  token_type: ['a string', isText],
  refresh_token: ['a string', isText],
  expires_in: ['a whole number of seconds', (value) => Number.isInteger(value)],
  scope: ['a string of scopes, separated by single spaces', (value) => isText(value) && SCOPES.test(value)],
};

/** Empty if the server grants no scope. */
const SCOPES = /^([\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*)?$/;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function wrongTypes(exchange: Exchange): Mismatch[] {
  const body = fieldsOf(exchange.response.json) ?? {};
  return Object.entries(memberForms)
    .filter(([name, [, holds]]) => !isOmitted(body[name]) && !holds(body[name]))
    .map(([name, [expected]]) => ({ expected: `${name}: ${expected}`, actual: formOf(name, body[name]), exchange }));
}

/** A token is a secret, so only its type is named. */
const formOf = (name: string, value: unknown): string =>
  name.endsWith('_token') ? `${name}: ${typeof value}` : `${name}: ${JSON.stringify(value)}`;

/** RFC 6749 sections 5.1 and 5.2. The media type may have parameters. */
function notJson(exchange: Exchange): Mismatch[] {
  const type = exchange.response.headers['content-type'];
  if (/^application\/json\s*(;|$)/i.test(type ?? '')) return [];
  return [{ expected: 'Content-Type: application/json', actual: `Content-Type: ${type ?? 'absent'}`, exchange }];
}

/** The mismatch never contains the token. */
function isJwt(exchange: Exchange, now = Date.now()): Mismatch[] {
  const token = tokenResponse(exchange).access_token ?? '';
  const parts = token.split('.');
  // Only the server can read what an encrypted one says (RFC 7519 section 7.2).
  if (isEncrypted(parts)) return [];
  if (parts.length !== 3 || parts.some((part) => !isBase64url(part)))
    return [{ expected: 'three base64url parts', actual: `${parts.length} parts, or other characters`, exchange }];
  const jwt = readJwt(token);
  if (jwt === undefined) return [{ expected: 'a JSON header and payload', actual: 'no JSON objects', exchange }];
  const { exp, iat } = jwt.payload;
  return expiresLater(exp, nowOf(exchange, iat, now)).map((found) => ({ ...found, exchange }));
}

/** RFC 7516 sections 3.1 and 4.1.2: five parts, of which the second may be empty, and `enc` in the header. */
function isEncrypted([header = '', key = '', ...others]: readonly string[]): boolean {
  if (others.length !== 3 || ![header, ...others].every(isBase64url) || !(key === '' || isBase64url(key))) return false;
  return typeof objectIn(header)?.['enc'] === 'string';
}

/** RFC 6749 section 5.1: the value is case-insensitive. */
function notBearer(exchange: Exchange): Mismatch[] {
  const { token_type } = tokenResponse(exchange);
  if (String(token_type).toLowerCase() === 'bearer') return [];
  return [{ expected: 'token_type Bearer', actual: `token_type ${JSON.stringify(token_type)}`, exchange }];
}

/** Of the clocks of the server, and the time that a response takes. */
const { toleranceSeconds } = requirement('oauth.token.expires-in-agrees').values;

/** The token is valid for at least the time that the response promises. */
function expiresEarlier(exchange: Exchange, now = Date.now()): Mismatch[] {
  const { access_token = '', expires_in = 0 } = tokenResponse(exchange);
  const actual = `expires_in ${expires_in}`;
  if (expires_in <= 0) return [{ expected: 'expires_in above 0', actual, exchange }];
  const { exp, iat } = readJwt(access_token)?.payload ?? {};
  if (typeof exp !== 'number') return [];
  const left = Math.round(exp - nowOf(exchange, iat, now));
  if (expires_in <= left + toleranceSeconds) return [];
  return [{ expected: `expires_in at most ${left}, when the token expires`, actual, exchange }];
}

/** RFC 7515 section 2: without padding, and of a length that base64 can have. */
const isBase64url = (part: string): boolean => /^[A-Za-z0-9_-]+$/.test(part) && part.length % 4 !== 1;

/** The first second of the year 10000. Later values are not seconds. */
const LATEST = 253_402_300_800;

/** RFC 7519 section 4.1.4: a number of seconds, possibly with a fraction. */
function expiresLater(exp: unknown, now: number): Difference[] {
  if (typeof exp !== 'number') return [{ expected: 'exp, a number', actual: `exp: ${typeof exp}` }];
  if (exp <= now) return [{ expected: 'exp in the future', actual: `exp ${now - exp} seconds ago` }];
  return exp < LATEST ? [] : [{ expected: 'exp in seconds since 1970', actual: `exp ${exp}` }];
}

const DAY_SECONDS = 86_400;

/** Without a Date header: it makes every comparison false, because the clock of a recording may be days off. */
const UNKNOWN_TIME = NaN;

/**
 * The issuer's time: of the response or of this machine, whichever is nearer, because a gateway may set Date; or from the token if
 * they differ by more than a day (simulated clock).
 */
function nowOf({ response, sentAt = NaN }: Exchange, iat: unknown, ownTime: number): number {
  const date = Date.parse(response.headers['date'] ?? '');
  const clocks = [date, ownTime, ...(Number.isNaN(date) ? [] : [sentAt])].filter((each) => !Number.isNaN(each));
  const issuedAt = typeof iat === 'number' ? iat : 0;
  const distances = clocks.map((each) => Math.abs(each / 1000 - issuedAt));
  const now = (clocks[distances.indexOf(Math.min(...distances))] ?? UNKNOWN_TIME) / 1000;
  return typeof iat === 'number' && Math.abs(iat - now) > DAY_SECONDS ? iat : now;
}
