/** oauth.errors.*: errors of the token endpoint (RFC 6749 section 5.2). */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { alterations } from '../generators/altered-key.ts';
import type { Exchange } from '../target/client.ts';
import type { ClientAuthentication } from '../target/target.ts';
import { clientOf, acceptedAuthentication, requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import type { Fields, TokenRequest } from '../kit/oauth/token-requests.ts';
import { exchangeCode, needComplete, newCode, requestOwnToken } from '../kit/oauth/grants.ts';
import { noToken, refusedAs } from './refused-as.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { errorOf, hasClient, issuedCodes, refusal, tokenRequestOf, valueOf } from './seen-oauth.ts';

const UNKNOWN = 'assay-unknown';

const usableOfRun = sharedValue<UsableClient>();

interface UsableClient {
  /** The authentication methods that the client can use. */
  readonly proofs: readonly ClientAuthentication[];
  /** A client credentials request in which nothing but the client is wrong if it is. */
  readonly fields: Fields;
}

/** Throws NotTried if the server does not know the client, or requires more parameters. */
const usableClient = (run: Run): Promise<UsableClient> =>
  usableOfRun.get(run, async () => {
    const { fields, exchange } = await requestOwnToken(run);
    run.need(tokenResponse(exchange).error !== 'invalid_client', 'a client that the server knows');
    needComplete(run, exchange);
    if ((await acceptedAuthentication(run)) === 'post') return { fields, proofs: ['post'] };
    const byPost = await requestToken(run, fields, { proof: 'post' });
    return { fields, proofs: byPost.response.status === 200 ? ['basic', 'post'] : ['basic'] };
  });

interface WrongClient {
  readonly id: string;
  readonly secret: string;
}

/** Invalid clients by their mistake. None uses the client's own id. */
function unknownClients(run: Run, proof: ClientAuthentication): Map<string, WrongClient> {
  const { id, secret } = clientOf(run);
  const right = secret.value;
  const wrong = new Map<string, WrongClient>([['an unknown client', { id: UNKNOWN, secret: UNKNOWN }]]);
  // Values similar to the secret are only redacted in a header that begins like the correct one.
  if (proof === 'post') return wrong.set('an unknown client with the right secret', { id: UNKNOWN, secret: right });
  if (id.length < BEGINNING) return wrong;
  for (const [what, alter] of Object.entries(alterations)) {
    const other = alter(id);
    if (other !== id && other.startsWith(id.slice(0, BEGINNING)))
      wrong.set(`its id: ${what}`, { id: other, secret: right });
  }
  return wrong;
}

const ANOTHER_SECRET = 'another secret';
const LONGER_SECRET = 'one character more';

/** Of the client's own id, in the order in which servers accept them. Each is sent in every run. */
const wrongSecrets: readonly string[] = [
  ANOTHER_SECRET,
  'its letters in the other case',
  LONGER_SECRET,
  'its last character omitted',
  'its last character changed',
  'a character in its middle changed',
];

async function withWrongSecret(run: Run, { proofs, fields }: UsableClient, wrongSecret: string): Promise<Exchange> {
  const { id, secret } = clientOf(run);
  if (wrongSecret === ANOTHER_SECRET) {
    const options: TokenRequest = proofs.includes('post') ? { proof: 'post', as: as(id, UNKNOWN) } : { as: as(id, id) };
    return requestToken(run, fields, options);
  }
  const mayResemble = proofs.includes('basic') && id.length >= BEGINNING;
  const similar = alterations[wrongSecret]?.(secret.value) ?? UNKNOWN;
  const wrong = as(id, mayResemble && similar !== secret.value ? similar : UNKNOWN);
  const code = wrongSecret === LONGER_SECRET ? await undefinedIfNotTried(newCode(run)) : undefined;
  return code === undefined ? requestToken(run, fields, { as: wrong }) : exchangeCode(run, code, { as: wrong });
}

const as = (id: string, secret: string): NonNullable<TokenRequest['as']> => ({
  id,
  secret: { value: secret, name: 'SVC_WRONG_SECRET' },
});

/** Enough characters for the eight base64 characters by which the redaction recognizes a credential derived from another. */
const BEGINNING = 6;

judges('oauth.errors.invalid-client', 'requestToken', (seen) => {
  const { statuses, error } = requirement('oauth.errors.invalid-client').values;
  if (errorOf(seen) === error) return [...status(seen.exchange, statuses), ...noToken(seen.exchange)];
  if (!isInventedClient(seen) || ![200, 400, 401, 403].includes(seen.status)) return undefined;
  return refusedAs(seen.exchange, statuses, error);
});

/** Whether the client or its secret is one that assay invents. */
function isInventedClient(seen: Seen): boolean {
  const fields = tokenRequestOf(seen);
  const [, basicValue = ''] = /^basic +(\S+)$/i.exec(seen.header('authorization') ?? '') ?? [];
  const inHeader = Buffer.from(basicValue, 'base64').toString().split(':');
  const inBody = [fields?.get('client_id'), fields?.get('client_secret')];
  return fields !== undefined && [...inHeader, ...inBody].some((each) => each === UNKNOWN);
}

conforms('oauth.errors.invalid-client', async (run) => {
  const { statuses, error } = run.rule.values;
  const usable = await usableClient(run);
  const { proofs, fields } = usable;
  for (const proof of proofs) {
    const wrong = unknownClients(run, proof);
    await run.forEach([...wrong.keys()], async (client) => {
      const { id, secret } = wrong.get(client) ?? { id: UNKNOWN, secret: UNKNOWN };
      return refusedAs(await requestToken(run, fields, { proof, as: as(id, secret) }), statuses, error);
    });
  }
  // The right secret after each wrong one, so that the server does not lock the client out.
  await run.forEach(
    wrongSecrets,
    async (wrongSecret) => {
      const refused = await withWrongSecret(run, usable, wrongSecret);
      await requestToken(run, fields);
      return refusedAs(refused, statuses, error);
    },
    { sequential: true, all: true },
  );
  await run.forEach(['an empty secret'], async () =>
    // It may count as omitted (RFC 6749 section 2.3.1) and be refused as such.
    noToken(await requestToken(run, fields, { as: as(clientOf(run).id, '') })),
  );
  await run.forEach(['only its id'], async () =>
    // The error may be invalid_request, because a parameter is missing.
    noToken(await requestToken(run, { ...fields, client_id: clientOf(run).id }, { proof: 'none' })),
  );
});

judges('oauth.errors.basic-challenge', 'requestToken', (seen) => {
  const { status: refused, error, scheme } = requirement('oauth.errors.basic-challenge').values;
  if (!/^basic ./i.test(seen.header('authorization') ?? '') || errorOf(seen) !== error) return undefined;
  seen.responseHeader('www-authenticate');
  return [...status(seen.exchange, refused), ...challengeMismatches(seen.exchange, scheme)];
});

conforms('oauth.errors.basic-challenge', async (run) => {
  const { status: refused, error, scheme } = run.rule.values;
  const { proofs, fields } = await usableClient(run);
  run.need(proofs.includes('basic'), 'a client that may authenticate with HTTP Basic');
  let judged = 0;
  for (const id of [UNKNOWN, `${clientOf(run).id}-${UNKNOWN}`]) {
    const exchange = await requestToken(run, fields, { proof: 'basic', as: as(id, UNKNOWN) });
    if (tokenResponse(exchange).error !== error) continue; // oauth.errors.invalid-client judges it.
    judged += 1;
    run.check(status(exchange, refused), challengeMismatches(exchange, scheme));
  }
  run.need(judged > 0, `the error ${error} for an unknown client`);
});

/** The header may have several challenges. Names of schemes are case-insensitive (RFC 9110 section 11.1). */
function challengeMismatches(exchange: Exchange, scheme: string): Mismatch[] {
  const challenge = exchange.response.headers['www-authenticate'];
  if (new RegExp(String.raw`(^|,)\s*${scheme}(\s|,|$)`, 'i').test(challenge ?? '')) return [];
  const actual = `WWW-Authenticate: ${challenge ?? 'absent'}`;
  return [{ expected: `WWW-Authenticate: ${scheme}`, actual, exchange }];
}

/** Parameters of another grant: a server must not infer the grant from them. */
const other: Fields = { code: 'assay', refresh_token: 'assay', redirect_uri: 'https://assay.invalid/' };

/** Unknown grant types on every server: names are case-sensitive (RFC 6749 section 1.9). */
const unknownGrants = [
  'assay',
  'client_credential',
  'client_credentialss',
  'client-credentials',
  'clientCredentials',
  'CLIENT_CREDENTIALS',
  'Authorization_Code',
  'authorization',
  'urn:assay:params:oauth:grant-type:unknown',
  'null',
];
const UNKNOWN_GRANT = /^assay[A-Za-z0-9._-]{0,20}$/;
const unknownGrant = fc.stringMatching(UNKNOWN_GRANT);

judges('oauth.errors.grant-type', 'requestToken', (seen) => {
  const { status: refused, unknown, missing } = requirement('oauth.errors.grant-type').values;
  const fields = tokenRequestOf(seen);
  if (fields === undefined || !hasClient(seen, fields)) return undefined;
  const grantType = valueOf(fields, 'grant_type');
  if (grantType === undefined) return refusal(seen, refused, missing, unknown);
  if (unknownGrants.includes(grantType) || UNKNOWN_GRANT.test(grantType)) return refusal(seen, refused, unknown);
  // The user name is required.
  return grantType === 'password' && !fields.has('username') ? noToken(seen.exchange) : undefined;
});

conforms('oauth.errors.grant-type', async (run) => {
  const { status: refused, unknown, missing } = run.rule.values;
  const { proofs } = await usableClient(run);
  await run.forAll(
    { grantType: unknownGrant, proof: fc.constantFrom(...proofs) },
    async ({ grantType, proof }) =>
      refusedAs(await requestToken(run, { grant_type: grantType, ...other }, { proof }), refused, unknown),
    {
      examples: unknownGrants.flatMap((grantType) => proofs.map((proof) => ({ grantType, proof }))),
    },
  );
  // A parameter without a value counts as omitted (RFC 6749 section 3.2).
  const withoutGrantType: readonly Fields[] = [other, { grant_type: '' }, { scope: clientOf(run).scopes[0] }, {}];
  await run.forEach(
    withoutGrantType.flatMap((fields) => proofs.map((proof) => ({ fields, proof }))),
    async ({ fields, proof }) => refusedAs(await requestToken(run, fields, { proof }), refused, missing),
  );
  // A server may know this grant, which requires a user name (RFC 6749 section 4.3.2).
  await run.forEach(['password'], async (grantType) => noToken(await requestToken(run, { grant_type: grantType })));
});

judgesInOrder('oauth.errors.unknown-code', ['authorize', 'requestToken'], () => {
  const { status: refused, unknown, missing } = requirement('oauth.errors.unknown-code').values;
  const codes = issuedCodes();
  return (seen) => {
    if (seen.operation.id === 'authorize') return codes.note(seen);
    const fields = tokenRequestOf(seen);
    if (fields?.get('grant_type') !== 'authorization_code' || !hasClient(seen, fields)) return undefined;
    const code = valueOf(fields, 'code');
    if (code === undefined)
      return refusal(seen, refused, [missing, unknown], codes.isEmpty ? undefined : 'unsupported_grant_type');
    const resemblance = codes.resembles(code);
    if (resemblance === 'one other') return refusal(seen, refused, unknown);
    // It may be malformed rather than unknown.
    return resemblance === 'one more' ? noToken(seen.exchange) : undefined;
  };
});

conforms('oauth.errors.unknown-code', async (run) => {
  const { status: refused, unknown, missing } = run.rule.values;
  const issued = await newCode(run);
  for (const value of similarCodes(issued.value))
    run.check(refusedAs(await exchangeCode(run, { ...issued, value }), refused, unknown));
  run.check(noToken(await exchangeCode(run, { ...issued, value: `${issued.value}x` })));
  const { redirect_uri } = issued.fields;
  const withoutCode = await requestToken(run, { grant_type: 'authorization_code', redirect_uri });
  run.check(refusedAs(withoutCode, refused, [missing, unknown]));
});

/** Of the length and the characters of an issued code: other forms may be malformed rather than unknown. */
function similarCodes(code: string): string[] {
  const changedAt = (index: number): string => {
    const replacement = [...code].find((character) => character !== code[index]) ?? 'x';
    return code.slice(0, index) + replacement + code.slice(index + 1);
  };
  return [0.5, 0.75].map((at) => changedAt(Math.floor(at * code.length)));
}
