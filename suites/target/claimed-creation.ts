/** Whether a resource that a ledger claims to be of a run is one. A ledger is a file that somebody may have changed. */
import { managementReadAt, operation } from '../../spec/operations.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Client } from './client.ts';
import type { LedgerEntry } from './read-ledger.ts';

/**
 * Reads a resource whose name the target chose, because its displayName must begin with the prefix. Undefined if it does,
 * or the target does not return it. Throws HarnessError if there is no response.
 */
export async function describeFalseClaim(
  { name, removal }: LedgerEntry,
  prefix: string,
  client: Client,
): Promise<string | undefined> {
  if (removal === undefined || name?.startsWith(prefix) === true) return undefined;
  const read = managementReadAt(operation(removal.operation).path);
  if (read === undefined) return undefined;
  const { response } = await client.call(read.id, { path: removal.path, headers: removal.headers ?? {} });
  const metadata = fieldsOf(fieldsOf(response.json)?.['metadata']);
  if (response.status !== 200 || metadata === undefined) return undefined;
  const { displayName } = metadata;
  const isClaimTrue = typeof displayName === 'string' && displayName.startsWith(prefix);
  return isClaimTrue ? undefined : `its displayName does not begin with ${prefix} (--force removes it anyway)`;
}
