/** oauth.scopes.*: a client gets no scope that it may not request, and the response names the granted ones if they differ. */
import * as fc from 'fast-check';
import { documentOf } from '../../spec/documents.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { exchangeCode, newCode, ownGrant, scopedGrant } from '../kit/oauth/grants.ts';
import { judges, saysNothing } from '../judge/judgement.ts';
import { errorOf, hasClient, hasToken, isInvented, tokenRequestOf, valueOf } from './seen-oauth.ts';

const grantOfRun = sharedValue<Exchange>();

/** Scopes that no server of this interface has. */
const UNKNOWN = 'assay:none';
const invented = [UNKNOWN, 'admin:assay', 'agents:assay'];
const inventedScope = fc.stringMatching(/^assay-[a-z]{1,12}:[a-z]{1,12}$/);

judges('oauth.scopes.never-exceeded-silently', 'requestToken', (seen) => {
  const fields = tokenRequestOf(seen);
  const scope = fields && valueOf(fields, 'scope');
  if (scope === undefined || !hasClient(seen, fields!)) return undefined;
  const beyond = new Set(scope.split(' ').filter(isInvented));
  const isRefused = ['invalid_scope', 'invalid_request'].some((error) => error === errorOf(seen));
  // A refresh may be refused with any error.
  const isJudged = hasToken(seen) || (isRefused && fields!.get('grant_type') === 'client_credentials');
  return beyond.size === 0 || !isJudged || saysNothing(seen.status)
    ? undefined
    : notExceeded(seen.exchange, scope, beyond);
});

conforms('oauth.scopes.never-exceeded-silently', async (run) => {
  const own = await grantOfRun.get(run, () => ownGrant(run));
  run.need(own.response.status === 200, 'a token for the client');
  const { scopes } = clientOf(run);
  const [may] = scopes;
  // `admin` first.
  const denied = deniedScopes(run);
  // Alone, and before and after an allowed scope.
  const request = (scope: string): string[] => [
    scope,
    ...(may === undefined ? [] : [`${may} ${scope}`, `${scope} ${may}`]),
  ];
  await run.forAll(
    { scope: inventedScope.chain((scope) => fc.constantFrom(...request(scope))) },
    async ({ scope }) => notExceeded(await scopedGrant(run, scope), scope, scopesBeyond(run, scope)),
    {
      // A server may ignore unknown scopes and issue a token each time.
      examples: denied
        .flatMap((scope, index) => (index < MAX_COMBINED ? request(scope) : [scope]))
        .map((scope) => ({ scope })),
    },
  );
  const [first = UNKNOWN] = denied;
  // One unknown scope: only spaces separate scopes (RFC 6749 section 3.3).
  const withComma = may === undefined || denied.length === 0 ? [] : [`${may},${first}`];
  const lists = [...withComma, [...scopes, first].join(' '), ...(denied.length === 0 ? [] : words)];
  await run.forEach([...lists, ...invented.flatMap(request)], async (scope) =>
    notExceeded(await scopedGrant(run, scope), scope, scopesBeyond(run, scope)),
  );
  await run.forEach(
    scopes.filter(() => scopes.length > 1),
    async (scope) => notExceeded(await scopedGrant(run, scope), scope, NOTHING),
  );
  await run.forEach(
    ['authorization_code', 'refresh_token'],
    (grant) => (grant === 'refresh_token' ? refreshMismatches(run, first) : codeMismatches(run, first)),
    { sequential: true },
  );
});

const MAX_COMBINED = 6;

/** Not scopes, but similar to ones that the client may not have: scopes are case-sensitive (RFC 6749 section 3.3). */
const words = ['ADMIN', '*', 'admin:*', 'agents:*', 'agents:'];

const documentedScopes: readonly string[] = Object.keys(
  documentOf('management').components.securitySchemes['oauth']?.flows?.['clientCredentials']?.scopes ?? {},
);

/**
 * Documented scopes that the client may not have. Empty unless the target file lists the client's scopes; a client with
 * admin may have every scope.
 */
function deniedScopes(run: Run): string[] {
  const { scopes } = clientOf(run);
  const closed = scopes.length === 0 || scopes.includes('admin') ? [] : documentedScopes;
  return closed.filter((scope) => !scopes.includes(scope));
}

/** The same for the authorization endpoint, and for one scope of the client. Skipped if its page needs a person. */
async function codeMismatches(run: Run, exceeding: string): Promise<Mismatch[]> {
  const [scope] = clientOf(run).scopes;
  const requests = [
    [exceeding, scopesBeyond(run, exceeding)] as const,
    ...(scope === undefined ? [] : [[scope, NOTHING] as const]),
  ];
  const found = [];
  for (const [request, beyond] of requests) {
    const code = await undefinedIfNotTried(newCode(run, { scope: request }));
    if (code !== undefined) found.push(...notExceeded(await exchangeCode(run, code), request, beyond));
  }
  return found;
}

/** The same for refreshed tokens. */
async function refreshMismatches(run: Run, exceeding: string): Promise<Mismatch[]> {
  const usual = await undefinedIfNotTried(newCode(run));
  const { refresh_token } = usual === undefined ? {} : tokenResponse(await exchangeCode(run, usual));
  if (refresh_token === undefined) return [];
  const refreshed = await requestToken(run, { grant_type: 'refresh_token', refresh_token, scope: exceeding });
  // The interface documents no refresh, so any refusal is accepted.
  const isRefused = tokenResponse(refreshed).access_token === undefined;
  return isRefused ? [] : notExceeded(refreshed, exceeding, scopesBeyond(run, exceeding));
}

/** The scopes of the request that the client may not have, and all others. */
const scopesBeyond = (run: Run, request: string): ReadonlySet<string> =>
  new Set([...request.split(' ').filter((each) => !clientOf(run).scopes.includes(each)), ...deniedScopes(run)]);

const NOTHING: ReadonlySet<string> = new Set();

/**
 * RFC 6749 section 3.3: granted as requested, or refused with invalid_scope, or with other scopes, and then the response
 * names these. `beyond`: the scopes that it must not grant.
 */
function notExceeded(exchange: Exchange, request: string, beyond: ReadonlySet<string>): Mismatch[] {
  const { error, scope, access_token: token } = tokenResponse(exchange);
  const mayBeGranted = beyond.size === 0;
  if (token === undefined) {
    return mayBeGranted || error === 'invalid_scope'
      ? []
      : [{ expected: 'error invalid_scope', actual: `error ${error ?? 'absent'}`, exchange }];
  }
  if (scope === undefined && !mayBeGranted)
    return [{ expected: `scope in the response, because it differs from ${request}`, actual: 'no scope', exchange }];
  const reported = (scope ?? request).split(' ');
  // The scope admin may imply any other.
  const isUnreported = (each: string): boolean =>
    documentedScopes.includes(each) && !reported.includes(each) && !reported.includes('admin');
  const claimed = claimedScopes(token).flatMap((list) => list.split(' '));
  return [
    ...reported.filter((each) => beyond.has(each)),
    ...claimed.filter((each) => beyond.has(each) || isUnreported(each)),
  ].map((each) => ({ expected: `a token without ${each}`, actual: `${each} among its scopes`, exchange }));
}

/** The scopes in the token itself, if it can be decoded. */
function claimedScopes(token: string): string[] {
  const { scope, scp } = readJwt(token)?.payload ?? {};
  return [scope, scp].flat().filter((each) => typeof each === 'string');
}
