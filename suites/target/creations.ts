/** Which operations create something with a name of its own, and which operation removes it again. */
import type { OperationId } from '../../spec/generated/types.ts';
import { operation, operations } from '../../spec/operations.ts';
import type { CallInput } from './client.ts';
import type { Creation } from './ledger.ts';

interface Way {
  /** Absent where the interface has no way to remove it. */
  removal?: OperationId;
  /** The path parameter that takes the name. */
  nameParameter?: string;
}

/** POST to a collection beside a DELETE of `{collection}/{name}`: documented or not, it is how the thing goes away. */
function wayOf(id: OperationId): Way | undefined {
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

const known = new Map<OperationId, Way | undefined>();

/** What a call would create, to be written down before it is sent; undefined where it creates nothing with a name. */
export function creationBy(id: OperationId, input: CallInput): Creation | undefined {
  if (!known.has(id)) known.set(id, wayOf(id));
  const way = known.get(id);
  const name = (input.body as { metadata?: { name?: unknown } } | null | undefined)?.metadata?.name;
  if (way === undefined || typeof name !== 'string' || name === '') return undefined;
  const { removal, nameParameter } = way;
  if (removal === undefined || nameParameter === undefined) return { created: id, name };
  return { created: id, name, removal: { operation: removal, path: { ...input.path, [nameParameter]: name } } };
}
