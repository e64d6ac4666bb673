/**
 * auth.forged-tokens.*: tokens that the target never issued as access tokens: made from one that it issued and the keys that it
 * publishes, or issued for another purpose.
 */
import { operation } from '../../spec/operations.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import { conforms, NotTried } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue, sharedValues } from '../engine/shared-values.ts';
import { forgedToken, forgeries, needsPublishedKeys } from '../generators/forged-jwt.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import type { Jwt } from '../generators/tampered-jwt.ts';
import { carriersOf } from '../kit/auth/carriers.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { clientTokens } from '../kit/oauth/client-tokens.ts';
import { missingKeys, publishedKeys } from '../kit/oauth/published-keys.ts';
import { reasonIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { eventually, isAwake, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import type { CallInput, HeaderInput } from '../target/request-types.ts';
import { closedRequests, request } from './data-plane-requests.ts';
import type { DataPlaneRequest } from './data-plane-requests.ts';
import { DATA_PLANE_CONCURRENCY, sendDataPlane } from './every-request.ts';

const closed =
  (surface: Surface) =>
  (run: Run): DataPlaneRequest[] =>
    closedRequests(run).filter(({ id }) => operation(id).surface === surface);

/** The preferred requests first. */
const apis: Readonly<Record<string, (run: Run) => DataPlaneRequest[]>> = {
  management: () => [request('listAccounts', {})],
  metrics: (run) =>
    run.target.account === undefined ? [] : [request('getAccountMetrics', { query: { ...pastWindow(run) } })],
  inference: closed('inference'),
  sandbox: closed('sandbox'),
};

const names = Object.keys(forgeries);

const ACCEPTED = 'a JWT that is accepted, of the target file or of its client';
const ACCEPTED_BY = 'a JWT of the target file or of its client that is accepted by';

conforms('auth.forged-tokens.refused', async (run) => {
  const issued = [...jwtCallers(run), ...(await grantedTokens(run))];
  if (issued.length === 0) throw new NotTried(ACCEPTED, 'jwt');
  const carriers = Object.values(carriersOf(run));
  const { others } = await tokensOfClient.get(run, () => clientTokens(run));
  const tested = [...names, ...others.keys()];
  let judged = 0;
  for (const [index, [api, requests]] of Object.entries(apis).entries()) {
    const sent = requests(run);
    const accepted = await acceptedRequests.get(run, api, () => findAccepted(run, sent, issued));
    if ('token' in accepted) judged += 1;
    const whenAwake = pollUntilTimeout(isAwake, run.patienceSeconds);
    const sendForged = async (name: string): Promise<Mismatch[]> => {
      if (!('token' in accepted)) return run.skipInput(`${ACCEPTED_BY} the ${api} API (${accepted.reason})`);
      const token = others.get(name) ?? (await forge(run, name, accepted.token));
      if (token === undefined) return [];
      if (typeof token === 'object') return run.skipInput(token.missing);
      const carrier = carriers[(tested.indexOf(name) + index) % carriers.length]!;
      const { request: each, input, sendValid, control } = accepted;
      const headers = carrier.with(`Bearer ${token}`);
      const send = () => whenAwake(() => sendDataPlane(run.as('none'), each, input, headers));
      const exchange = await send();
      const who = others.has(name) ? name : `a forged token (${name})`;
      const found = notRefusedMismatches(exchange, who, control);
      if (found.length === 0 || isSuccessful(exchange)) return found;
      // An agent or sandbox may have been stopped since the control request.
      const later = await whenAwake(sendValid);
      return notRefusedMismatches(await send(), who, later);
    };
    // What the target file does not name is not part of what it tests.
    await run.forEach(sent.length === 0 ? [] : tested, sendForged, { concurrency: DATA_PLANE_CONCURRENCY });
  }
  if (judged === 0) throw new NotTried(ACCEPTED, 'jwt');
});

const tokensOfClient = sharedValue<Awaited<ReturnType<typeof clientTokens>>>();

/** A request, and a JWT with which it succeeds. */
interface Accepted {
  readonly request: DataPlaneRequest;
  readonly input: CallInput;
  readonly token: string;
  readonly sendValid: () => Promise<Exchange>;
  readonly control: Exchange;
}

/** Why no request has succeeded with a JWT. */
interface Unaccepted {
  readonly reason: string;
}

const acceptedRequests = sharedValues<Accepted | Unaccepted>();

/** The first that succeeds, or else why the first one does not. */
async function findAccepted(
  run: Run,
  requests: readonly DataPlaneRequest[],
  issued: readonly Issued[],
): Promise<Accepted | Unaccepted> {
  const reasons: string[] = [];
  for (const each of requests) {
    const input = await reasonIfNotTried(each.input(run.client));
    if (typeof input === 'string') {
      reasons.push(`${each.id}: needs ${input}`);
      continue;
    }
    for (const { token, client, headers } of issued) {
      const sendValid = () => sendDataPlane(client(), each, input, headers);
      const control = await reasonIfNotTried(eventually(sendValid, isAwake, run.patienceSeconds));
      if (typeof control === 'string') reasons.push(`${each.id}: needs ${control}`);
      else if (isSuccessful(control)) return { request: each, input, token, sendValid, control };
      else reasons.push(`${each.id}: status ${control.response.status}`);
    }
  }
  return { reason: reasons[0] ?? '' };
}

/** A JWT that the target issued, and how to send it. */
interface Issued {
  readonly token: string;
  readonly client: () => Run['client'];
  readonly headers?: HeaderInput;
}

/** Of the target file, the strongest ones first. */
function jwtCallers(run: Run): Issued[] {
  const { scoped, ...named } = run.target.credentials;
  const strongest = (['admin', 'apiKey', 'workspaceAdmin', 'member', 'unrelated'] as const).map((name) => ({
    client: () => run.as(name),
    token: named[name]?.value ?? '',
  }));
  const others = Object.entries(scoped).map(([scope, { value }]) => ({
    client: () => run.as({ scoped: scope as never }),
    token: value,
  }));
  return [...strongest, ...others].filter(({ token }) => readJwt(token) !== undefined);
}

/** Of the OAuth client of the target file. */
async function grantedTokens(run: Run): Promise<Issued[]> {
  const { access } = await tokensOfClient.get(run, () => clientTokens(run));
  return access
    .filter((token) => readJwt(token) !== undefined)
    .map((token) => ({ token, client: () => run.as('none'), headers: { Authorization: `Bearer ${token}` } }));
}

/**
 * Made from the token that is valid now: a change of an expired one would be refused for its expiry. Undefined if the token or the
 * keys have no such form.
 */
async function forge(run: Run, name: string, issued: string): Promise<string | { missing: string } | undefined> {
  const jwt = readJwt(await run.tokens.valid(issued));
  if (jwt === undefined) return undefined;
  const { iss: issuer } = jwt.payload;
  const missing = needsPublishedKeys(name) && !hasSecretKey(jwt) ? await missingKeys(run, issuer) : undefined;
  if (missing !== undefined) return { missing };
  return forgedToken(name, { jwt, keys: await publishedKeys(run, issuer) });
}

/** Signed with a secret, so that there is no public key (RFC 7518 section 3.2). */
const hasSecretKey = ({ header: { alg } }: Jwt): boolean => typeof alg === 'string' && /^HS\d/.test(alg);
