/** Requests of the documented management operations in which nothing but the version header is to be judged. */
import { operations } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Run } from '../conforms.ts';
import { pastWindow } from '../metrics/windows.ts';
import type { CallInput } from '../target/client.ts';

export interface ManagementRequest {
  readonly id: OperationId;
  /** New at each call: what creates takes another name each time. */
  readonly input: () => CallInput;
}

const versioned = operations.filter(
  ({ surface, documented, versioned: takes }) => surface === 'management' && documented && takes,
);
export const readingOperations: readonly Operation[] = versioned.filter(({ method }) => method === 'GET');
export const writingOperations: readonly Operation[] = versioned.filter(({ method }) => method !== 'GET');

/**
 * Requests that nothing is wrong with, by operation: each was answered 2xx without the header just now, so that the
 * version is the only thing that can be refused. Agent update is taken on trust: an agent may be in other use meanwhile.
 */
export async function validRequests(run: Run): Promise<ReadonlyMap<OperationId, ManagementRequest>> {
  const valid = new Map<OperationId, ManagementRequest>();
  for (const request of [...validReads(run), ...validCreates(run)]) {
    const { answer } = await run.client.call(request.id, request.input());
    if (answer.status >= 200 && answer.status < 300) valid.set(request.id, request);
  }
  for (const request of agentUpdate(run)) valid.set(request.id, request);
  return valid;
}

/** What reads, with the names that the target is known to have; an operation for which there is none is left out. */
export function validReads(run: Run): ManagementRequest[] {
  return readingOperations.flatMap((operation) => {
    const path = knownNames(run, operation);
    return path === undefined ? [] : [{ id: operation.id, input: () => ({ path, query: queryOf(run, operation) }) }];
  });
}

/** What creates, and should succeed: only where the run may write. The names of what is created are the run's. */
export function validCreates(run: Run): ManagementRequest[] {
  if (run.target.allow === 'read') return [];
  const { connection, mailIntegration } = run.target.resources;
  const metadata = () => ({ name: run.newName() });
  const secret = { CLIENT_ID: 'assay', CLIENT_SECRET: 'assay', REFRESH_TOKEN: 'assay' };
  const runtime = { type: 'mcp' };
  return [
    { id: 'createVpc', input: () => ({ body: { metadata: metadata(), spec: {} } }) },
    ...given(mailIntegration, (integration): ManagementRequest => ({
      id: 'createIntegrationConnection',
      input: () => ({ body: { metadata: metadata(), spec: { integration, secret } } }),
    })),
    ...given(connection, (name): ManagementRequest => ({
      id: 'createFunction',
      input: () => ({ body: { metadata: metadata(), spec: { type: 'mcp', runtime, integrationConnections: [name] } } }),
    })),
  ];
}

/** Only where the run may write, as admin; a conforming target refuses an unknown version, and the agent stays as it is. */
export function agentUpdate({ target }: Run): ManagementRequest[] {
  if (target.allow === 'read' || target.credentials.admin === undefined) return [];
  return given(target.resources.agent, (name): ManagementRequest => ({
    id: 'updateAgent',
    input: () => ({ path: { agentName: name }, body: { metadata: { name }, spec: {} } }),
  }));
}

/**
 * One request of every operation that the run may send at all, made so that it changes nothing on a conforming target:
 * unknown names, and bodies that lack what is required. `DELETE /images` needs leave to destroy.
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
  const path = Object.fromEntries(operation.pathParameters.map(({ name }) => [name, `${run.prefix}none`]));
  return {
    id: operation.id,
    input: () => ({ path, query: queryOf(run, operation), ...(operation.hasBody ? { body: {} } : {}) }),
  };
}

/** A value for every path parameter; undefined where the target file has none for one of them. */
function knownNames({ target }: Run, { pathParameters }: Operation): Record<string, string> | undefined {
  const known: Readonly<Record<string, string | undefined>> = {
    accountId: target.account,
    integrationName: target.resources.integration ?? target.resources.mailIntegration,
    agentName: target.resources.agent,
    functionName: target.resources.function,
    modelName: target.resources.model,
    jobName: target.resources.job,
    sandboxName: target.resources.sandbox,
  };
  const pairs = pathParameters.map(({ name }) => [name, known[name]] as const);
  return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
    ? Object.fromEntries(pairs)
    : undefined;
}

function queryOf(run: Run, { queryParameters }: Operation): Record<string, string> {
  return queryParameters.includes('startTime') ? { ...pastWindow(run) } : {};
}

function given<Value, Made>(value: Value | undefined, make: (value: Value) => Made): Made[] {
  return value === undefined ? [] : [make(value)];
}
