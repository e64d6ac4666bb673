/** A valid request of every documented operation that requires a credential. */
import { operation, operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { shapeOf } from '../expect/shape.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { updateWhenSettled } from '../kit/provision/agents.ts';
import { createOperations, plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { createAndRemove } from '../kit/provision/removal.ts';
import { acceptedWrite, firstWrite, isRepeatable } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { CallInput, HeaderInput } from '../target/request-types.ts';
import { validReads } from '../kit/versions/requests.ts';
import type { ManagementRequest } from '../kit/versions/requests.ts';
import { markedUpdate, updatableAgent } from '../kit/auth/agent-updates.ts';
import type { Updatable } from '../kit/auth/agent-updates.ts';
import { dataPlaneRequests } from './data-plane-requests.ts';
import type { DataPlaneRequest } from './data-plane-requests.ts';
import { responseHead } from '../kit/stream-head.ts';

export interface AuthenticatedRequest {
  readonly id: OperationId;
  send(client: Client, headers?: HeaderInput): Promise<Exchange>;
  /** A description that is equal for equivalent responses. */
  describe(exchange: Exchange): string;
  /** Whether the target responds to it in time. Omitted if every target does. */
  readonly isUsable?: () => Promise<boolean>;
}

/** The requests by operation, numbered if an operation has several. */
export function byName<Request extends { readonly id: OperationId }>(
  requests: readonly Request[],
): ReadonlyMap<string, Request> {
  const counts = new Map<OperationId, number>();
  return new Map(
    requests.map((request) => {
      const count = (counts.get(request.id) ?? 0) + 1;
      counts.set(request.id, count);
      return [count === 1 ? request.id : `${request.id} (${count})`, request];
    }),
  );
}

/** Management requests that only read. Metrics by workspace are included because the response depends on the caller's role. */
export function everyRead(run: Run): AuthenticatedRequest[] {
  const byWorkspace = {
    id: 'getAccountMetrics',
    input: () => ({ query: { ...pastWindow(run), groupBy: 'workspace' } }),
  };
  const known = run.target.account === undefined ? [] : [byWorkspace as ManagementRequest];
  return [...validReads(run), ...known].map(({ id, input }) => ({
    id,
    send: (client, headers) => client.call(id, { ...input(), headers: { ...headers } }),
    describe: ({ response }) =>
      `status ${response.status}, ${response.json === undefined ? 'no JSON' : shapeOf(response.json)}`,
  }));
}

/**
 * Management requests that write, if the run may write. Creates only resources that the target is known to remove.
 * `DELETE /images` is omitted: no parameter of it could be wrong enough to prevent the cleanup.
 */
export async function everyWrite(run: Run): Promise<AuthenticatedRequest[]> {
  if (run.target.allow === 'read') return [];
  const agent = await undefinedIfNotTried(updatableAgent(run));
  return [
    ...(agent === undefined ? [] : [updateOf(run, agent)]),
    ...(await cheapCreates(run)).map(({ id, input }) =>
      written(id, (client, headers = {}) =>
        createAndRemove(run, id, { ...input(plainMetadata(run)), headers }, client),
      ),
    ),
    ...deletions.map(({ id }) =>
      written(id, (client, headers = {}) => client.call(id, { path: unknownNames(run, id), headers })),
    ),
  ];
}

const deletions = operations.filter(
  ({ surface, documented, method, pathParameters }) =>
    surface === 'management' && documented && method === 'DELETE' && pathParameters.length > 0,
);

const updateOf = (run: Run, agent: Updatable): AuthenticatedRequest =>
  written('updateAgent', (client, headers = {}) =>
    updateWhenSettled(run, client, { ...markedUpdate(agent, run.newName()), headers }),
  );

/** The run's first create of each resource type, sent with the strongest credential. Its response may be an error. */
export async function firstCreates(run: Run): Promise<Exchange[]> {
  const writes = [];
  for (const create of run.target.allow === 'read' ? [] : createOperations(run))
    writes.push(await undefinedIfNotTried(firstWrite(run, create)));
  return writes.flatMap((sent) => sent?.exchange ?? []);
}

/** Creates that the target accepted once in this run and whose resource it then removed. */
async function cheapCreates(run: Run): Promise<CreateOperation[]> {
  const found = [];
  for (const create of createOperations(run)) {
    if ((await undefinedIfNotTried(acceptedWrite(run, create))) !== undefined && isRepeatable(run, create))
      found.push(create);
  }
  return found;
}

/** Describes the status and whether the response has the displayName that was sent. */
function written(id: OperationId, send: AuthenticatedRequest['send']): AuthenticatedRequest {
  const displayNameOf = (json: unknown) => metadataIn(json)['displayName'];
  const sent = ({ request }: Exchange) => displayNameOf(JSON.parse(request.body ?? 'null'));
  const describe = (exchange: Exchange): string => {
    const received = displayNameOf(exchange.response.json);
    const asSent = received === undefined ? 'missing' : received === sent(exchange) ? 'as sent' : 'different';
    return `status ${exchange.response.status}, displayName ${asSent}`;
  };
  return { id, send, describe };
}

export function unknownNames(run: Run, id: OperationId): Record<string, string> {
  return Object.fromEntries(operation(id).pathParameters.map(({ name }) => [name, run.unknownName]));
}

/** The requests of inference, jobs and sandboxes do not depend on each other. */
export const DATA_PLANE_CONCURRENCY = 4;

/** Inference, jobs and sandboxes: the body may differ from one call to the next, the status may not. */
export async function everyDataPlaneRequest(run: Run): Promise<AuthenticatedRequest[]> {
  return (await dataPlaneRequests(run)).map((request) => ({
    id: request.id,
    send: async (client, headers) => sendDataPlane(client, request, await request.input(client), headers),
    describe: ({ response }) => `status ${response.status}`,
    ...(request.isUsable && { isUsable: request.isUsable }),
  }));
}

/** Returns only the head of a response that may never end. */
export async function sendDataPlane(
  client: Client,
  { id, streams, triggerEvents }: DataPlaneRequest,
  input: CallInput,
  headers: HeaderInput = {},
): Promise<Exchange> {
  const sent = { ...input, headers: { ...input.headers, ...headers } };
  return streams === true ? responseHead(client.open(id, sent), triggerEvents) : client.call(id, sent);
}
