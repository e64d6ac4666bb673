/** oauth.client-credentials.*: a client gets a token for itself, and the management API accepts it. */
import { headerNames } from '../../spec/brand.ts';
import type { OperationId } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput, HeaderInput } from '../target/request-types.ts';
import { validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { tokenResponse } from '../kit/oauth/token-requests.ts';
import { ownGrant } from '../kit/oauth/grants.ts';

const TIMES = 2;

conforms('oauth.client-credentials.token-works', async (run) => {
  const tokens: string[] = [];
  for (let time = 1; time <= TIMES; time += 1) {
    const exchange = await ownGrant(run, { proof: 'basic' });
    run.check(status(exchange, 200), hasToken(exchange));
    tokens.push(tokenResponse(exchange).access_token ?? '');
  }
  // The first token, after the second was issued: a new token does not revoke an older one.
  for (const token of tokens) run.check(...(await authenticationMismatches(run, token)));
});

/** RFC 6749 section 5.1. */
function hasToken(exchange: Exchange): Mismatch[] {
  const reported = tokenResponse(exchange);
  return (['access_token', 'token_type'] as const)
    .filter((name) => reported[name] === undefined || reported[name] === '')
    .map((name) => ({ expected: `${name}, a string`, actual: 'none in the response', exchange }));
}

/**
 * Every reading management operation, with either header. Only authentication is judged: a missing scope may return
 * 401 there (auth.scopes.admin-is-the-default), but not by an agent update, which documents 403.
 */
async function authenticationMismatches(run: Run, token: string): Promise<Mismatch[][]> {
  const found: Mismatch[][] = [];
  for (const { id, input } of [...validReads(run), ...unknownAgentUpdate(run)]) {
    const reportsScopes = id !== 'updateAgent' && (await lacksScopeWith401(run, id, input()));
    for (const headers of reportsScopes ? [] : headersWith(run, token)) {
      found.push(notUnauthorized(await run.as({ token }).call(id, { ...input(), headers })));
    }
  }
  return found;
}

function headersWith({ target }: Run, token: string): HeaderInput[] {
  return [{}, { Authorization: undefined, [headerNames(target.brand).authorization]: `Bearer ${token}` }];
}

function unknownAgentUpdate({ target, prefix }: Run): ManagementRequest[] {
  const name = `${prefix}none`;
  const input = () => ({ path: { agentName: name }, body: { metadata: { name }, spec: {} } });
  return target.allow === 'read' ? [] : [{ id: 'updateAgent', input }];
}

async function lacksScopeWith401(run: Run, id: OperationId, input: CallInput): Promise<boolean> {
  if (run.target.credentials.unrelated === undefined) return false;
  return (await run.as('unrelated').call(id, input)).response.status === 401;
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
