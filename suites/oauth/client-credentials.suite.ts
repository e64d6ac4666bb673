/** oauth.client-credentials.*: a client gets a token for itself, and the management API accepts it. */
import { headerNames } from '../../spec/brand.ts';
import type { OperationId } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import { sharedValue, sharedValues } from '../engine/shared-values.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput, HeaderInput } from '../target/request-types.ts';
import { validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { clientOf, tokenResponse } from '../kit/oauth/token-requests.ts';
import { basicCredential, unencodedCredential } from '../target/target.ts';
import { ownGrant } from '../kit/oauth/grants.ts';
import { judges } from '../judge/judgement.ts';
import { errorOf, tokenRequestOf } from './seen-oauth.ts';
import { fieldsOf } from '../json/fields.ts';

const unrelatedReads = sharedValues<Exchange>();
const tokensOfRun = sharedValue<readonly [Exchange, Exchange]>();

const tokenNames = ['the first token', 'the second token'] as const;
const headerKinds = ['standard', 'brand'] as const;
type HeaderKind = (typeof headerKinds)[number];

judges('oauth.client-credentials.token-works', 'requestToken', (seen) => {
  const isGranted = tokenRequestOf(seen)?.get('grant_type') === 'client_credentials' && isSuccessful(seen.exchange);
  if (!isGranted || fieldsOf(seen.json) === undefined || errorOf(seen) !== undefined) return undefined;
  return [...status(seen.exchange, 200), ...hasToken(seen.exchange)];
});

conforms('oauth.client-credentials.token-works', async (run) => {
  const exchanges = await tokensOfRun.get(run, async () => [
    await ownGrant(run, { proof: 'basic' }),
    await ownGrant(run, { proof: 'basic' }),
  ]);
  run.check(await encodingMismatches(run, exchanges[0]));
  run.check(...exchanges.flatMap((exchange) => [status(exchange, 200), hasToken(exchange)]));
  const requests = [...validReads(run), ...unknownAgentUpdate(run)];
  // Every operation gets each header and each token. If a new token revokes an older one, that is issued again.
  const uses = headerKinds.flatMap((header, shift) =>
    requests.map(({ id }, at) => ({ operation: id, header, token: tokenNames[(at + shift) % 2]! })),
  );
  await run.forEach(uses, async ({ operation, header, token }) => {
    const request = requests.find(({ id }) => id === operation);
    const exchange = exchanges[tokenNames.indexOf(token)]!;
    return request === undefined ? [] : authenticationMismatches(run, request, header, exchange);
  });
});

/** A server that does not decode the id and the secret refuses some of them: without encoding they are accepted. */
async function encodingMismatches(run: Run, exchange: Exchange): Promise<Mismatch[]> {
  const client = clientOf(run);
  const isEncoded = basicCredential(client).value !== unencodedCredential(client);
  if (exchange.response.status === 200 || !isEncoded) return [];
  const unencoded = await ownGrant(run, { proof: 'unencoded' });
  if (unencoded.response.status !== 200) return [];
  return [
    {
      expected: 'a token for the client id and secret, form-encoded in HTTP Basic (RFC 6749 section 2.3.1)',
      actual: `status ${exchange.response.status}, and a token for the same id and secret without form encoding`,
      exchange,
      before: [unencoded],
    },
  ];
}

const membersOf = (response: object): string => Object.keys(response).join(', ') || 'none';

/** RFC 6749 section 5.1. */
function hasToken(exchange: Exchange): Mismatch[] {
  const reported = tokenResponse(exchange);
  return (['access_token', 'token_type'] as const)
    .filter((name) => reported[name] === undefined || reported[name] === '')
    .map((name) => ({ expected: `${name}, a string`, actual: `members: ${membersOf(reported)}`, exchange }));
}

/**
 * Only authentication is judged: a missing scope may return 401 in reads (auth.scopes.admin-is-the-default), but not by an
 * agent update, which documents 403.
 */
async function authenticationMismatches(
  run: Run,
  { id, input }: ManagementRequest,
  header: HeaderKind,
  issued: Exchange,
): Promise<Mismatch[]> {
  const token = tokenResponse(issued).access_token ?? '';
  if (id !== 'updateAgent' && (await lacksScopeWith401(run, id, input()))) return [];
  const headers = headersWith(run, header, token);
  return notUnauthorized(await run.as({ token }).call(id, { ...input(), headers }));
}

function headersWith({ target }: Run, header: HeaderKind, token: string): HeaderInput {
  if (header === 'standard') return {};
  return { Authorization: undefined, [headerNames(target.brand).authorization]: `Bearer ${token}` };
}

function unknownAgentUpdate({ target, unknownName: name }: Run): ManagementRequest[] {
  const input = () => ({ path: { agentName: name }, body: { metadata: { name }, spec: {} } });
  return target.allow === 'read' ? [] : [{ id: 'updateAgent', input }];
}

async function lacksScopeWith401(run: Run, id: OperationId, input: CallInput): Promise<boolean> {
  if (run.target.credentials.unrelated === undefined) return false;
  const exchange = await unrelatedReads.get(run, id, () => run.as('unrelated').call(id, input));
  return exchange.response.status === 401;
}

function notUnauthorized(exchange: Exchange): Mismatch[] {
  if (exchange.response.status !== 401) return [];
  return [
    {
      expected: `the token accepted as a valid credential at ${exchange.operation}`,
      actual: 'status 401',
      exchange,
    },
  ];
}
