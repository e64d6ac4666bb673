/**
 * oauth.code.*: an authorization code can be exchanged once, and only by the client that requested it. One code at a time: a
 * new one may replace an earlier one of the same client, which is then refused for another reason than the one tested.
 */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { fieldsOf } from '../json/fields.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { clientOf, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { challengeOf, exchangeCode, newCode } from '../kit/oauth/grants.ts';
import type { Code } from '../kit/oauth/grants.ts';
import { noToken, refusedAs } from './refused-as.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { codeExchanges, discovery } from './seen-codes.ts';
import { fits, hasToken, refusal, valueOf } from './seen-oauth.ts';

const exchangedOfRun = sharedValue<{ count: number }>();
const pkceOfRun = sharedValue<boolean | undefined>();
const withoutVerifierOfRun = sharedValue<Exchange>();

interface Way {
  readonly pkce: boolean;
  /** Whether the tokens are used before the code is exchanged again. */
  readonly used: boolean;
}

/** With and without PKCE: a server may require or not support it. One of the two must work. */
const ways: readonly Way[] = [
  { pkce: true, used: false },
  { pkce: false, used: true },
  { pkce: true, used: true },
  { pkce: false, used: false },
];

judgesInOrder('oauth.code.good-once', 'requestToken', () => {
  const { status: refused, error } = requirement('oauth.code.good-once').values;
  /** The form of the exchange in which each code was used. */
  const used = new Map<string, string>();
  const { codeExchangeOf } = codeExchanges();
  return (seen) => {
    const exchanged = codeExchangeOf(seen);
    if (exchanged === undefined) return undefined;
    const form = seen.sentText ?? '';
    const first = used.get(exchanged.code);
    if (seen.status === 200 && hasToken(seen)) used.set(exchanged.code, first ?? form);
    // With other parameters it may be refused for those.
    return first === form || (first !== undefined && hasToken(seen)) ? refusal(seen, refused, error) : undefined;
  };
});

conforms('oauth.code.good-once', async (run) => {
  const { status: refused, error } = run.rule.values;
  const exchanged = await exchangedOfRun.get(run, async () => ({ count: 0 }));
  const repeat = async ({ pkce, used }: Way): Promise<Mismatch[]> => {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    if (code === undefined) return [];
    const first = await exchangeCode(run, code);
    if (first.response.status !== 200) return [];
    exchanged.count += 1;
    if (used) await use(run, first);
    const found: Mismatch[] = [];
    for (let time = 2; time <= TIMES; time += 1)
      found.push(...refusedAs(await exchangeCode(run, code), refused, error));
    return found;
  };
  await run.forEach(ways, repeat, { sequential: true });
  // The ways of this round may be the ones that the server does not support.
  if (exchanged.count === 0) for (const way of ways) run.check(await repeat(way));
  run.need(exchanged.count > 0, 'a code that is exchanged for a token');
  await run.forEach(['two concurrent exchanges'], () => onceAtATime(run));
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

/**
 * Issues codes that a valid request exchanges, so that only the change can be the reason for a refusal: with PKCE if the
 * server supports it, or without. Throws NotTried if no code is exchanged.
 */
async function exchangeableCode(run: Run): Promise<() => Promise<Code>> {
  const found = await pkceOfRun.get(run, async () => {
    for (const pkce of [true, false]) {
      const code = await undefinedIfNotTried(newCode(run, { pkce }));
      if (code !== undefined && (await exchangeCode(run, code)).response.status === 200) return pkce;
    }
    return undefined;
  });
  run.need(found !== undefined, 'a code that is exchanged for a token');
  return () => newCode(run, { pkce: found === true });
}

judgesInOrder('oauth.code.redirect-uri-identical', ['authorize', 'requestToken', 'getOpenIdConfiguration'], () => {
  const { status: refused, error, missing } = requirement('oauth.code.redirect-uri-identical').values;
  const { codeExchangeOf } = codeExchanges();
  let isOpenId: boolean | undefined;
  return (seen) => {
    if (seen.operation.id === 'getOpenIdConfiguration') isOpenId = hasOpenId(seen.status, seen.json);
    const { request, fields } = codeExchangeOf(seen) ?? {};
    const expected = request && valueOf(request, 'redirect_uri');
    if (expected === undefined || fields === undefined) return undefined;
    const uri = valueOf(fields, 'redirect_uri');
    const hasChallenge = request?.has('code_challenge') === true;
    if (uri === undefined)
      return hasChallenge || isOpenId !== false ? undefined : refusal(seen, refused, [error, missing]);
    if (uri === expected) return undefined;
    // A missing verifier makes the request invalid.
    return hasChallenge && !fields.has('code_verifier') && !hasToken(seen) ? undefined : refusal(seen, refused, error);
  };
});

conforms('oauth.code.redirect-uri-identical', async (run) => {
  const { status: refused, error, missing } = run.rule.values;
  const registered = run.need(clientOf(run).redirectUri, 'a redirection URI of the client');
  const issue = await exchangeableCode(run);
  const exchangeWith = async (redirect_uri: string): Promise<Exchange> => {
    const code = await issue();
    return exchangeCode(run, { ...code, fields: { ...code.fields, redirect_uri } });
  };
  const exchangeOther = async (uri: string | undefined): Promise<Mismatch[]> => {
    if (uri !== undefined) return refusedAs(await exchangeWith(uri), refused, error);
    const exchange = await exchangeWithoutUri(run);
    return exchange === undefined ? [] : refusedAs(exchange, refused, [error, missing]);
  };
  await run.forEach([...otherUris(registered), undefined], exchangeOther, { sequential: true });
});

/**
 * Of a code without PKCE, unless the server is an OpenID provider: otherwise it may accept the request (decision 058).
 * Undefined if the server issues no such code.
 */
async function exchangeWithoutUri(run: Run): Promise<Exchange | undefined> {
  if (await isOpenIdProvider(run)) return undefined;
  const issue = () => undefinedIfNotTried(newCode(run, { pkce: false }));
  const valid = await issue();
  if (valid === undefined || (await exchangeCode(run, valid)).response.status !== 200) return undefined;
  const other = await issue();
  return other && exchangeCode(run, { ...other, fields: { ...other.fields, redirect_uri: undefined } });
}

/** It has the scope openid, which its discovery document should list if it lists scopes (OpenID Connect Discovery section 3). */
async function isOpenIdProvider(run: Run): Promise<boolean> {
  const { response } = await run.as('none').call('getOpenIdConfiguration');
  return hasOpenId(response.status, response.json);
}

function hasOpenId(status: number, document: unknown): boolean {
  const { scopes_supported: scopes = ['openid'] } = fieldsOf(document) ?? {};
  return status === 200 && Array.isArray(scopes) && scopes.includes('openid');
}

/** One unrelated URI, and some that differ from the registered one only slightly. */
function otherUris(registered: string): string[] {
  const { origin, pathname, search } = new URL(registered);
  const longer = [`${registered}/`, `${registered}${search === '' ? '?' : '&'}assay=1`];
  const upper = origin + pathname.toUpperCase() + search;
  return [...new Set(['https://assay.invalid/', ...longer, registered.slice(0, -1), upper])].filter(
    (uri) => uri !== registered,
  );
}

judgesInOrder('oauth.code.verifier-checked', ['authorize', 'requestToken', ...discovery], () => {
  const { status: refused, error } = requirement('oauth.code.verifier-checked').values;
  const { codeExchangeOf } = codeExchanges();
  let isSupported = false;
  /** Tokens without a verifier, until it is known whether the server supports PKCE. */
  const tokens: Mismatch[] = [];
  const knownTokens = () => (isSupported ? tokens.splice(0) : undefined);
  return (seen) => {
    if (discovery.some((id) => id === seen.operation.id)) {
      isSupported ||= hasS256(seen.status, seen.json);
      return knownTokens();
    }
    const { request, fields, isFirst = false } = codeExchangeOf(seen) ?? {};
    if (fields === undefined || request?.get('code_challenge_method') !== 'S256') return undefined;
    const verifier = valueOf(fields, 'code_verifier');
    if (verifier !== undefined)
      return isSupported && fits(verifier, request) === false ? refusal(seen, refused, error) : undefined;
    isSupported ||= isFirst && refusal(seen, refused, [error, 'invalid_request'])?.length === 0;
    tokens.push(...noToken(seen.exchange));
    return knownTokens();
  };
});

conforms('oauth.code.verifier-checked', async (run) => {
  const { status: refused, error } = run.rule.values;
  const withVerifier = async (change: (verifier: string) => string | undefined): Promise<Exchange> => {
    const code = await newCode(run);
    const { code_verifier } = code.fields;
    return exchangeCode(run, { ...code, fields: { ...code.fields, code_verifier: change(String(code_verifier)) } });
  };
  const withoutOne = await withoutVerifierOfRun.get(run, async () => {
    const isExchanged = (await exchangeCode(run, await newCode(run))).response.status === 200;
    run.need(isExchanged, 'a code with PKCE that is exchanged for a token');
    return withVerifier(() => undefined);
  });
  run.need(withoutOne.response.status !== 200 || (await listsPkce(run)), 'an authorization server that supports PKCE');
  // Which error a missing verifier gets, RFC 7636 does not say.
  run.check(noToken(withoutOne));
  await run.forEach(
    Object.keys(wrongVerifiers) as WrongVerifier[],
    async (verifier) => refusedAs(await withVerifier(wrongVerifiers[verifier]), refused, error),
    { sequential: true },
  );
});

/** Well-formed verifiers (RFC 7636 section 4.1). The challenge itself is one if the server compares it as it is. */
const wrongVerifiers = {
  'the challenge': challengeOf,
  'another last character': (verifier) => verifier.slice(0, -1) + (verifier.endsWith('x') ? 'y' : 'x'),
  'another verifier': () => 'assay-'.repeat(10),
  'one character more': (verifier) => `${verifier}x`,
  'another first character': (verifier) => (verifier.startsWith('x') ? 'y' : 'x') + verifier.slice(1),
  'another letter case': (verifier) =>
    verifier === verifier.toLowerCase() ? verifier.toUpperCase() : verifier.toLowerCase(),
} as const satisfies Readonly<Record<string, (verifier: string) => string>>;
type WrongVerifier = keyof typeof wrongVerifiers;

/** The metadata names the methods that the server verifies (RFC 8414 section 2), at either of its places (section 5). */
async function listsPkce(run: Run): Promise<boolean> {
  for (const id of discovery) {
    const { response } = await run.as('none').call(id);
    if (hasS256(response.status, response.json)) return true;
  }
  return false;
}

function hasS256(status: number, document: unknown): boolean {
  const methods = fieldsOf(document)?.['code_challenge_methods_supported'];
  return status === 200 && Array.isArray(methods) && methods.includes('S256');
}
