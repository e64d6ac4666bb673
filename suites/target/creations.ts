/** Which operations create something with a name of its own, and which operation removes it again. */
import type { OperationId } from '../../spec/generated/types.ts';
import { operation, operations } from '../../spec/operations.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import { jsonIn } from '../json/json-in.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { CallInput, RawRequest } from './request-types.ts';
import type { Creation } from './ledger-lines.ts';

interface RemovalRoute {
  /** Absent where the interface has no way to remove it. */
  removal?: OperationId;
  /** The path parameter that takes the name. */
  nameParameter?: string;
}

/** POST to a collection beside a DELETE of `{collection}/{name}`: documented or not, it is how the thing goes away. */
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
 * What a call would create, to be written down before it is sent; undefined where it creates nothing that is known. `shown`
 * is the answer of one that was accepted: it may have a name where none was sent.
 */
export function describeCreation(id: OperationId, input: CallInput, responseBody?: unknown): Creation | undefined {
  if (!routes.has(id)) routes.set(id, findRemovalRoute(id));
  const route = routes.get(id);
  if (route === undefined) return undefined;
  const sent = textOf(metadataIn(input.body)['name']);
  const responseMetadata = metadataIn(responseBody);
  const name = sent ?? textOf(responseMetadata['name']);
  // Of a create that no document shows it is not known what it makes of a body without a name.
  if (name === undefined) return operation(id).documented ? { created: id } : undefined;
  const displayName = sent === undefined ? textOf(responseMetadata['displayName']) : undefined;
  return { created: id, name, ...(displayName && { displayName }), ...removalOf(route, name, input) };
}

/** What an update would create if nothing of that name were there, which it should not; undefined of any other call. */
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

/** The call that a raw request comes to, where the documents show that it creates or updates: whoever takes garbage may make something of it. */
export function callFromRequest({ surface, method, path, headers = {}, body }: RawRequest): Call | undefined {
  if (surface !== 'management' || (method !== 'POST' && method !== 'PUT')) return undefined;
  const [pathname = ''] = path.split('?', 1);
  const meant = matchOperation(surface, method, pathname);
  const values = meant?.documented === true ? pathValues(meant.path, pathname) : undefined;
  if (meant === undefined || values === undefined) return undefined;
  return { id: meant.id, input: { path: values, headers, body: jsonIn(Buffer.from(body ?? '').toString()) } };
}

/** What stands in a path that fits the template for its parameters; undefined where it is no UTF-8. */
function pathValues(template: string, pathname: string): Record<string, string> | undefined {
  const segments = pathname.split('/');
  const places = template
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), at] as const] : []));
  try {
    return Object.fromEntries(places.map(([name, at]) => [name, decodeURIComponent(segments[at] ?? '')]));
  } catch {
    return undefined;
  }
}

/** Whether it surely is what the run created: its name may be made up by the target, then the displayName was sent. */
export const isCreatedByRun = ({ name, displayName }: Creation, prefix: string): boolean =>
  [name, displayName].some((each) => each?.startsWith(prefix) === true);

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

/** Where a call has another one than the target's; empty where it goes without. */
function workspaceHeader({ headers = {} }: CallInput): Record<string, string> | undefined {
  const given = Object.entries(headers).filter(([name]) => /-workspace$/i.test(name));
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
