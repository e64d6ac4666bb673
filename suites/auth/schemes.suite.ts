/** auth.schemes.*: the management API accepts OAuth JWTs and API keys. */
import { operation } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import type { CallerName, Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import type { Exchange } from '../target/client.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { managementIds, refusedWhileValid } from './seen-acceptance.ts';
import { byName, everyRead, everyWrite, firstCreates } from './every-request.ts';

judgesInOrder(
  'auth.schemes.jwt-and-api-key-accepted',
  [...managementIds, 'getAgent'],
  refusedWhileValid((_, caller) => caller === 'apiKey' || caller === 'admin'),
);

conforms('auth.schemes.jwt-and-api-key-accepted', async (run) => {
  const jwt = jwtCaller(run);
  let successCount = 0;
  const countedMismatches = (exchange: Exchange, description: string): Mismatch[] => {
    if (isSuccessful(exchange)) successCount += 1;
    return acceptanceMismatches(exchange, description);
  };
  for (const exchange of await firstCreates(run)) run.check(countedMismatches(exchange, 'the strongest credential'));
  const requests = byName([...everyRead(run), ...(await everyWrite(run))]);
  const sendAsBoth = async (name: string): Promise<Mismatch[]> => {
    const request = requests.get(name)!;
    return [
      ...(jwt.maySend(request.id) ? countedMismatches(await request.send(run.as(jwt.name)), 'an OAuth JWT') : []),
      ...countedMismatches(await request.send(run.as('apiKey')), 'an API key'),
    ];
  };
  await run.forEach([...requests.keys()], sendAsBoth, { sequential: true });
  run.need(successCount > 0, 'a management operation that responds with 2xx');
});

interface JwtCaller {
  readonly name: CallerName;
  /** A caller without the scope may get 401 (auth.scopes.admin-is-the-default). */
  maySend(id: string): boolean;
}

/** The admin if its credential is a JWT, otherwise a caller with a JWT that may read metrics. */
function jwtCaller(run: Run): JwtCaller {
  const isJwt = (name: 'admin' | 'workspaceAdmin' | 'member') =>
    readJwt(run.target.credentials[name]?.value ?? '') !== undefined;
  if (isJwt('admin')) return { name: 'admin', maySend: () => true };
  const name = (['member', 'workspaceAdmin'] as const).find(isJwt);
  return {
    name: run.need(name, 'admin, member or workspaceAdmin with a JWT'),
    maySend: (id) => id === 'getAccountMetrics' || id.startsWith('listMetrics'),
  };
}

/**
 * 403 concerns permissions, so the credential itself was accepted. Reads are the exception: an admin may
 * read everything.
 */
function acceptanceMismatches(exchange: Exchange, description: string): Mismatch[] {
  const { status } = exchange.response;
  const reads = exchange.operation !== undefined && operation(exchange.operation).method === 'GET';
  const refused = status === 401 || (status === 403 && reads && description === 'an OAuth JWT' && !isByRole(exchange));
  return refused
    ? [{ expected: `${description} accepted at ${exchange.operation}`, actual: `status ${status}`, exchange }]
    : [];
}

const isByRole = ({ request: { url } }: Exchange): boolean => url.includes('groupBy=workspace');
