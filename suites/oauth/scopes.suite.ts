/** A client gets no scope beyond what it may ask for without being told. */
import * as fc from 'fast-check';
import { documentOf } from '../../spec/documents.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenAnswer } from '../kit/oauth/ask.ts';
import { exchangeCode, newCode, ownGrant, scopedGrant } from '../kit/oauth/grants.ts';

/** No scope of any server of this interface. */
const invented = ['assay:none', 'admin:assay', 'agents:assay'];
const inventedScope = fc.stringMatching(/^assay-[a-z]{1,12}:[a-z]{1,12}$/);

conforms('oauth.scopes.never-exceeded-silently', async (run) => {
  run.need((await ownGrant(run)).response.status === 200, 'a token for the client');
  const { scopes } = clientOf(run);
  const [may] = scopes;
  const exceeding = exceedingScopes(run);
  // Alone, and on either side of one that it may have.
  const asked = (scope: string): string[] => [
    scope,
    ...(may === undefined ? [] : [`${may} ${scope}`, `${scope} ${may}`]),
  ];
  await run.forAll(
    { scope: inventedScope.chain((scope) => fc.constantFrom(...asked(scope))) },
    async ({ scope }) => notExceeded(await scopedGrant(run, scope), scope, run),
    {
      // A server may leave out what it does not know, and issue a token each time.
      runs: Math.min(run.runs, 10),
      examples: [
        ...exceeding.flatMap((scope, index) => (index < MOST_COMBINED ? asked(scope) : [scope])),
        [...scopes, exceeding[0]].join(' '),
        ...(deniedScopes(run).length > 0 ? words : []),
        // One that is none: only blanks part scopes (RFC 6749 3.3).
        ...(may === undefined
          ? []
          : deniedScopes(run)
              .slice(0, 1)
              .map((scope) => `${may},${scope}`)),
      ].map((scope) => ({ scope })),
    },
  );
  run.check(...(await byCode(run, exceeding[0] ?? 'assay:none')));
});

const MOST_COMBINED = 6;

/** Are no scopes, and may be taken for some that the client may not have: scopes have letter case (RFC 6749 3.3). */
const words = ['ADMIN', '*', 'admin:*', 'agents:*', 'agents:'];

/** Admin first. */
const exceedingScopes = (run: Run): string[] => [...deniedScopes(run), ...invented];

/** Of the documented ones only where the target file says which the client may have; who may have admin may have each. */
function deniedScopes(run: Run): string[] {
  const { scopes } = clientOf(run);
  const documented = Object.keys(
    documentOf('management').components.securitySchemes['oauth']?.flows?.['clientCredentials']?.scopes ?? {},
  );
  const closed = scopes.length === 0 || scopes.includes('admin') ? [] : documented;
  return closed.filter((scope) => !scopes.includes(scope));
}

/** The same at the other endpoint, and when a token is refreshed; nothing where a person is wanted. */
async function byCode(run: Run, exceeding: string): Promise<Mismatch[][]> {
  const code = await undefinedIfNotTried(newCode(run, { scope: exceeding }));
  const found = code === undefined ? [] : [notExceeded(await exchangeCode(run, code), exceeding, run)];
  const usual = await undefinedIfNotTried(newCode(run));
  const { refresh_token } = usual === undefined ? {} : tokenAnswer(await exchangeCode(run, usual));
  if (refresh_token === undefined) return found;
  const refreshed = await requestToken(run, { grant_type: 'refresh_token', refresh_token, scope: exceeding });
  // No flow of the interface refreshes: whatever refuses it gives no scope.
  const isRefused = tokenAnswer(refreshed).access_token === undefined;
  return isRefused ? found : [...found, notExceeded(refreshed, exceeding, run)];
}

/** RFC 6749 3.3: refused with invalid_scope, or narrowed, and then the answer says to what. */
function notExceeded(exchange: Exchange, asked: string, run: Run): Mismatch[] {
  const { error, scope, access_token: token } = tokenAnswer(exchange);
  if (token === undefined) {
    return error === 'invalid_scope'
      ? []
      : [{ expected: 'error invalid_scope', actual: `error ${error ?? 'absent'}`, exchange }];
  }
  const unknown = asked.split(' ').filter((each) => !clientOf(run).scopes.includes(each));
  const beyond = new Set([...unknown, ...deniedScopes(run)]);
  if (scope === undefined)
    return [{ expected: `scope in the answer, since it is not ${asked}`, actual: 'no scope', exchange }];
  return [scope, ...claimedScopes(token)]
    .flatMap((list) => list.split(' '))
    .filter((each) => beyond.has(each))
    .map((each) => ({ expected: `a token without ${each}`, actual: `${each} among its scopes`, exchange }));
}

/** What the token itself says, where it can be read. */
function claimedScopes(token: string): string[] {
  const { scope, scp } = readJwt(token)?.payload ?? {};
  return [scope, scp].flat().filter((each) => typeof each === 'string');
}
