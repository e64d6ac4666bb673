/** Requests of the documented management operations, for rules about the version header. */
import { operations } from '../../../spec/operations.ts';
import type { Operation, OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { pastWindow } from '../metrics/windows.ts';
import { createOperations, plainMetadata } from '../provision/creates.ts';
import type { CreateOperation } from '../provision/creates.ts';
import { acceptedWrite, agentWrites } from '../provision/writes.ts';
import type { CallInput } from '../../target/request-types.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { knownNames } from '../../target/known-names.ts';
import type { KnownNames } from '../../target/known-names.ts';

const successfulReads = sharedValue<ReadonlySet<OperationId>>();

export interface ManagementRequest {
  readonly id: OperationId;
  /** Returns a new input for each call, because every create needs a new name. */
  readonly input: () => CallInput;
}

const versioned = operations.filter(
  ({ surface, documented, versioned: isVersioned }) => surface === 'management' && documented && isVersioned,
);
const readingOperations: readonly Operation[] = versioned.filter(({ method }) => method === 'GET');
const writingOperations: readonly Operation[] = versioned.filter(({ method }) => method !== 'GET');

/**
 * Valid requests by operation. Each succeeded without the header, so only the version can be the reason for a refusal.
 * The agent update is not sent before, because the agent may be in use.
 */
export async function validRequests(run: Run): Promise<ReadonlyMap<OperationId, ManagementRequest>> {
  const valid = new Map<OperationId, ManagementRequest>();
  const successful = await readsThatSucceed(run);
  for (const request of validReads(run)) if (successful.has(request.id)) valid.set(request.id, request);
  for (const create of await acceptedCreates(run))
    valid.set(create.id, { id: create.id, input: () => create.input(plainMetadata(run)) });
  for (const { id, input } of run.target.allow === 'read' ? [] : await agentWrites(run))
    valid.set(id, { id, input: () => input({}) });
  return valid;
}

/** Those of validReads that succeed without the header. */
export function readsThatSucceed(run: Run): Promise<ReadonlySet<OperationId>> {
  return successfulReads.get(run, async () => {
    const found = new Set<OperationId>();
    for (const { id, input } of validReads(run)) if (isSuccessful(await run.client.call(id, input()))) found.add(id);
    return found;
  });
}

/** Reading operations with existing names. Operations without one are omitted. */
export function validReads(run: Run): ManagementRequest[] {
  return readingOperations.flatMap((operation) => {
    const path = namesIn(run, operation);
    return path === undefined ? [] : [{ id: operation.id, input: () => ({ path, query: queryOf(run, operation) }) }];
  });
}

/** Creates that were accepted once in this run. Empty if the run may not write. */
export async function acceptedCreates(run: Run): Promise<CreateOperation[]> {
  if (run.target.allow === 'read') return [];
  const found = [];
  for (const create of createOperations(run)) if ((await acceptedWrite(run, create)) !== undefined) found.push(create);
  return found;
}

/**
 * One request of every operation that the run may send, with unknown names or incomplete bodies so that it changes
 * nothing on a conforming target. `DELETE /images` requires allow: destroy.
 */
export function harmlessRequests(run: Run): ManagementRequest[] {
  const { allow } = run.target;
  const writes = writingOperations.filter(({ pathParameters, hasBody }) =>
    pathParameters.length > 0 || hasBody ? allow !== 'read' : allow === 'destroy',
  );
  const known = new Set(validReads(run).map(({ id }) => id));
  const rest = [...readingOperations.filter(({ id }) => !known.has(id)), ...writes];
  return [...validReads(run), ...rest.map((operation) => harmless(run, operation))];
}

function harmless(run: Run, operation: Operation): ManagementRequest {
  const path = Object.fromEntries(operation.pathParameters.map(({ name }) => [name, run.unknownName]));
  return {
    id: operation.id,
    input: () => ({ path, query: queryOf(run, operation), ...(operation.hasBody ? { body: {} } : {}) }),
  };
}

/** A value for every path parameter. Undefined if the target file lacks one of them. */
function namesIn({ target }: Run, { pathParameters }: Operation): Record<string, string> | undefined {
  const known = knownNames(target);
  // Any integration is suitable, because its response is not judged.
  const integrationName = known['integrationName'] ?? target.resources.mailIntegration;
  const names: KnownNames = { ...known, integrationName };
  const pairs = pathParameters.map(({ name }) => [name, names[name]] as const);
  return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
    ? Object.fromEntries(pairs)
    : undefined;
}

function queryOf(run: Run, { queryParameters }: Operation): Record<string, string> {
  return queryParameters.includes('startTime') ? { ...pastWindow(run) } : {};
}
