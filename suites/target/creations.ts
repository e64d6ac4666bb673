/** Operations that create named resources, and the operations that remove them. */
import type { OperationId } from '../../spec/generated/types.ts';
import { operation, operations } from '../../spec/operations.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import { jsonIn } from '../json/json-in.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { CallInput, RawRequest } from './request-types.ts';
import type { Change, Creation } from './ledger-lines.ts';

interface RemovalRoute {
  /** Absent if the interface has no operation to remove it. */
  removal?: OperationId;
  /** The path parameter for the name. */
  nameParameter?: string;
}

/** A POST to a collection is paired with the DELETE of `{collection}/{name}`, documented or not. */
function findRemovalRoute(id: OperationId): RemovalRoute | undefined {
  const create = operation(id);
  if (create.method !== 'POST' || create.surface !== 'management') return undefined;
  const removal = operations.find(
    ({ surface, method, path }) =>
      surface === 'management' &&
      method === 'DELETE' &&
      path.startsWith(`${create.path}/{`) &&
      path.indexOf('/', create.path.length + 1) === -1,
  );
  if (removal === undefined) return {};
  return { removal: removal.id, nameParameter: removal.path.slice(create.path.length + 2, -1) };
}

const routes = new Map<OperationId, RemovalRoute | undefined>();

/**
 * The resource that a call would create, recorded before it is sent. Undefined if it creates none. `returned` is the
 * response to an accepted create, which may contain a name if none was sent.
 */
export function describeCreation(id: OperationId, input: CallInput, responseBody?: unknown): Creation | undefined {
  if (!routes.has(id)) routes.set(id, findRemovalRoute(id));
  const route = routes.get(id);
  if (route === undefined) return undefined;
  const sent = textOf(metadataIn(input.body)['name']);
  const responseMetadata = metadataIn(responseBody);
  const name = sent ?? textOf(responseMetadata['name']);
  // What an undocumented create does with a body without a name is unknown.
  if (name === undefined) return operation(id).documented ? { created: id } : undefined;
  const displayName = sent === undefined ? textOf(responseMetadata['displayName']) : undefined;
  return { created: id, name, ...(displayName && { displayName }), ...removalOf(route, name, input) };
}

/** The resource that an update could create by mistake if none of that name exists. Undefined for other calls. */
export function resourceCreatedBy(id: OperationId, { path = {}, headers = {} }: CallInput): Creation | undefined {
  const update = operation(id);
  if (update.method !== 'PUT') return undefined;
  const [, collection, nameParameter = ''] = /^(.*)\/\{(\w+)\}$/.exec(update.path) ?? [];
  const create = operations.find((each) => each.method === 'POST' && each.path === collection);
  const name = path[nameParameter];
  if (create === undefined || name === undefined) return undefined;
  return describeCreation(create.id, { path, headers, body: { metadata: { name } } });
}

export interface Call {
  readonly id: OperationId;
  readonly input: CallInput;
}

/**
 * The documented create or update that a raw request corresponds to: a target that accepts invalid requests may create
 * something.
 */
export function callFromRequest({ surface, method, path, headers = {}, body }: RawRequest): Call | undefined {
  if (surface !== 'management' || (method !== 'POST' && method !== 'PUT')) return undefined;
  const [pathname = ''] = path.split('?', 1);
  const match = matchOperation(surface, method, pathname);
  if (match?.value.documented !== true || !isDecodable(pathname)) return undefined;
  return {
    id: match.value.id,
    input: { path: match.params, headers, body: jsonIn(Buffer.from(body ?? '').toString()) },
  };
}

/** False if an escape is malformed or does not encode UTF-8. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Whether the run certainly created it. If the target chose the name, the displayName is compared. */
export const isCreatedByRun = ({ name, displayName }: Creation, prefix: string): boolean =>
  [name, displayName].some((each) => each?.startsWith(prefix) === true);

/**
 * Whether a recorded removal removes what was created: the operation belongs to the create, and the name is that of the
 * resource. A ledger is a file that somebody may have changed.
 */
export function isRemovalOfCreation({ created, name, removal }: Creation): boolean {
  if (removal === undefined || name === undefined) return false;
  const route = findRemovalRoute(created);
  const [, ...others] = Object.keys(removal.headers ?? {});
  return (
    route?.removal === removal.operation &&
    removal.path[route.nameParameter ?? ''] === name &&
    !hasDotSegment(removal.path) &&
    others.length === 0 &&
    Object.keys(removal.headers ?? {}).every((header) => /-workspace$/i.test(header))
  );
}

/**
 * Whether a recorded change is one that runs make: of an agent, whose previous state is to be sent to it again. A ledger is a
 * file that somebody may have changed.
 */
export function isChangeOfRuns({ changed, path, body }: Change): boolean {
  const { agentName, ...others } = path;
  const { name = agentName } = metadataIn(body);
  return changed === 'updateAgent' && name === agentName && Object.keys(others).length === 0 && !hasDotSegment(path);
}

/** A server may resolve it, and then the request is about something else (RFC 3986 section 5.2.4). */
const hasDotSegment = (path: Readonly<Record<string, string>>): boolean =>
  Object.values(path).some((value) => /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(value));

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function removalOf(
  { removal, nameParameter }: RemovalRoute,
  name: string,
  input: CallInput,
): Pick<Creation, 'removal'> {
  if (removal === undefined || nameParameter === undefined) return {};
  const headers = workspaceHeader(input);
  return {
    removal: { operation: removal, path: { ...input.path, [nameParameter]: name }, ...(headers && { headers }) },
  };
}

/** The workspace of a call if it differs from the target's. Empty if the call has none. */
function workspaceHeader({ headers = {} }: CallInput): Record<string, string> | undefined {
  const given = Object.entries(headers).filter(([name]) => /-workspace$/i.test(name));
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
