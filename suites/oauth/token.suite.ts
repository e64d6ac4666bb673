/** Token answers: not to be kept, and what is in them. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Difference } from '../target/violation.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenAnswer } from '../kit/oauth/ask.ts';
import { exchangeCode, newCode, ownGrant, scopedGrant } from '../kit/oauth/grants.ts';
import { sharedValue } from '../engine/shared-values.ts';

const tokenExchanges = sharedValue<Exchange[]>();

conforms('oauth.token.no-store', async (run) => {
  run.check(...(await tokenAnswers(run)).map(noStore));
});

conforms('oauth.token.is-a-jwt', async (run) => {
  run.check(...(await tokenAnswers(run)).map(isJwt));
});

/** One answer 200 by each way that this client has to a token. Throws NotTried where it has none. */
async function tokenAnswers(run: Run): Promise<Exchange[]> {
  const answers = await tokenExchanges.get(run, async () => {
    const scopes = clientOf(run).scopes.slice(0, 1);
    const code = await undefinedIfNotTried(newCode(run));
    const byCode = code && (await exchangeCode(run, code));
    const { refresh_token } = byCode ? tokenAnswer(byCode) : {};
    return [
      await undefinedIfNotTried(ownGrant(run)),
      await undefinedIfNotTried(ownGrant(run, { proof: 'post' })),
      ...(await Promise.all(scopes.map((scope) => undefinedIfNotTried(scopedGrant(run, scope))))),
      byCode,
      refresh_token === undefined ? undefined : await requestToken(run, { grant_type: 'refresh_token', refresh_token }),
    ].filter((exchange) => exchange !== undefined);
  });
  const given = answers.filter((exchange) => exchange.response.status === 200);
  run.need(given.length, 'a token answer');
  return given;
}

/** RFC 6749 5.1; a directive has no letter case (RFC 9111 5.2), and others may stand beside it. */
function noStore(exchange: Exchange): Mismatch[] {
  const value = exchange.response.headers['cache-control'];
  const directives = (value ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return [];
  const actual = value === undefined ? 'no Cache-Control' : `Cache-Control: ${value}`;
  return [{ expected: 'Cache-Control: no-store', actual, exchange }];
}

/** The token itself is in no mismatch. */
function isJwt(exchange: Exchange): Mismatch[] {
  const token = tokenAnswer(exchange).access_token ?? '';
  const parts = token.split('.');
  if (parts.length !== 3 || parts.some((part) => !isBase64url(part)))
    return [{ expected: 'three base64url parts', actual: `${parts.length} parts, or other characters`, exchange }];
  const jwt = readJwt(token);
  if (jwt === undefined) return [{ expected: 'a JSON header and payload', actual: 'no JSON objects', exchange }];
  const { exp, iat } = jwt.payload;
  return expiresLater(exp, nowOf(exchange, iat)).map((found) => ({ ...found, exchange }));
}

/** RFC 7515 2: without padding, of a length that bytes can have. */
const isBase64url = (part: string): boolean => /^[A-Za-z0-9_-]+$/.test(part) && part.length % 4 !== 1;

/** The first second of the year 10000: what is later was not meant in seconds. */
const LATEST = 253_402_300_800;

/** RFC 7519 4.1.4: a number of seconds, with a fraction perhaps. */
function expiresLater(exp: unknown, now: number): Difference[] {
  if (typeof exp !== 'number') return [{ expected: 'exp, a number', actual: `exp: ${typeof exp}` }];
  if (exp <= now) return [{ expected: 'exp in the future', actual: `exp ${now - exp} seconds ago` }];
  return exp < LATEST ? [] : [{ expected: 'exp in seconds since 1970', actual: `exp ${exp}` }];
}

const DAY_SECONDS = 86_400;

/** The server's own: of the answer, or of the token where the two are days apart, as on a server with a clock of its own. */
function nowOf({ response }: Exchange, iat: unknown): number {
  const date = Date.parse(response.headers['date'] ?? '');
  const now = (Number.isNaN(date) ? Date.now() : date) / 1000;
  return typeof iat === 'number' && Math.abs(iat - now) > DAY_SECONDS ? iat : now;
}
