/** oauth.code.*: an authorization code can be exchanged once, and only by the client that requested it. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { challengeOf, exchangeCode, newCode } from '../kit/oauth/grants.ts';
import type { Code } from '../kit/oauth/grants.ts';
import { refusedAs } from './refused-as.ts';

/** With and without PKCE: a server may require or not support it. One of the two must work. */
const ways = [
  { pkce: true, used: false },
  { pkce: true, used: true },
  { pkce: false, used: false },
  { pkce: false, used: true },
];

conforms('oauth.code.good-once', async (run) => {
  const { status: refused, error } = run.rule.values;
  let exchanged = 0;
  for (const { pkce, used } of ways) {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    if (code === undefined) continue;
    const first = await exchangeCode(run, code);
    if (first.response.status !== 200) continue;
    exchanged += 1;
    if (used) await use(run, first);
    for (let time = 2; time <= TIMES; time += 1) run.check(refusedAs(await exchangeCode(run, code), refused, error));
  }
  run.need(exchanged > 0, 'a code that is exchanged for a token');
  run.check(await onceAtATime(run));
});

const TIMES = 3;

/** The access token and the refresh token issued for the code. */
async function use(run: Run, first: Exchange): Promise<void> {
  const { access_token: token = '', refresh_token } = tokenResponse(first);
  await run.as({ token }).call('listAccounts');
  if (refresh_token !== undefined) await requestToken(run, { grant_type: 'refresh_token', refresh_token });
}

/** Two concurrent exchanges: at most one succeeds. */
async function onceAtATime(run: Run): Promise<Mismatch[]> {
  const code = await newCode(run);
  const both = await Promise.all([exchangeCode(run, code), exchangeCode(run, code)]);
  const [, second] = both.filter(({ response }) => response.status === 200);
  return second === undefined
    ? []
    : [
        {
          expected: 'one token from two concurrent exchanges',
          actual: 'two',
          exchange: second,
          concurrent: both.slice(0, 1),
        },
      ];
}

/** A code that a valid request exchanges, so that only the change can be the reason for a refusal. Throws NotTried if none is. */
async function exchangeableCode(run: Run): Promise<() => Promise<Code>> {
  for (const pkce of [true, false]) {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    if (code !== undefined && (await exchangeCode(run, code)).response.status === 200)
      return () => newCode(run, { pkce });
  }
  return run.need(undefined, 'a code that is exchanged for a token');
}

conforms('oauth.code.redirect-uri-identical', async (run) => {
  const { status: refused, error, missing } = run.rule.values;
  const registered = run.need(clientOf(run).redirectUri, 'a redirection URI of the client');
  const issue = await exchangeableCode(run);
  const exchangeWith = async (redirect_uri: string | undefined): Promise<Exchange> => {
    const code = await issue();
    return exchangeCode(run, { ...code, fields: { ...code.fields, redirect_uri } });
  };
  for (const uri of otherUris(registered)) run.check(refusedAs(await exchangeWith(uri), refused, error));
  run.check(refusedAs(await exchangeWith(undefined), refused, [error, missing]));
});

/** One unrelated URI, and some that differ from the registered one only slightly. */
function otherUris(registered: string): string[] {
  const { origin, pathname, search } = new URL(registered);
  const longer = [`${registered}x`, `${registered}${search === '' ? '?' : '&'}assay=1`];
  const upper = origin + pathname.toUpperCase() + search;
  return [...new Set(['https://assay.invalid/', ...longer, registered.slice(0, -1), upper])].filter(
    (uri) => uri !== registered,
  );
}

conforms('oauth.code.verifier-checked', async (run) => {
  const { status: refused, error, missing } = run.rule.values;
  const used = await newCode(run);
  run.need((await exchangeCode(run, used)).response.status === 200, 'a code with PKCE that is exchanged for a token');
  const withVerifier = async (change: (verifier: string) => string | undefined): Promise<Exchange> => {
    const code = await newCode(run);
    const { code_verifier } = code.fields;
    return exchangeCode(run, { ...code, fields: { ...code.fields, code_verifier: change(String(code_verifier)) } });
  };
  const withoutOne = await withVerifier(() => undefined);
  run.need(withoutOne.response.status !== 200 || (await listsPkce(run)), 'an authorization server that supports PKCE');
  run.check(refusedAs(withoutOne, refused, [error, missing]));
  for (const change of wrongVerifiers) run.check(refusedAs(await withVerifier(change), refused, error));
});

/** Well-formed verifiers (RFC 7636 section 4.1). The challenge itself is one if the server compares it as it is. */
const wrongVerifiers: readonly ((verifier: string) => string)[] = [
  () => 'assay-'.repeat(10),
  challengeOf,
  (verifier) => `${verifier}x`,
  (verifier) => (verifier.startsWith('x') ? 'y' : 'x') + verifier.slice(1),
  (verifier) => verifier.slice(0, -1) + (verifier.endsWith('x') ? 'y' : 'x'),
  (verifier) => (verifier === verifier.toLowerCase() ? verifier.toUpperCase() : verifier.toLowerCase()),
];

/** The metadata names the methods that the server verifies (RFC 8414 section 2). */
async function listsPkce(run: Run): Promise<boolean> {
  const { response } = await run.as('none').call('getAuthorizationServerMetadata');
  const methods = fieldsOf(response.json)?.['code_challenge_methods_supported'];
  return response.status === 200 && Array.isArray(methods) && methods.includes('S256');
}
