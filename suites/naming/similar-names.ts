/** Names that differ from an existing one only at their end. */
import { limits } from '../../spec/values.ts';
import type { Run } from '../engine/run.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import { nameOfLength, plainestDisplayName } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { createAndRemove, removeByRequestedName } from '../kit/provision/removal.ts';
import { isRepeatable } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Mismatch } from '../target/violation.ts';

/** Of a plan that allows few resources, or few requests. */
const QUOTA_STATUSES: readonly number[] = [401, 402, 403, 429];

/** Such a name is another one. A mismatch only if unlike names are accepted before and after: a plan may allow few resources. */
export async function similarNameMismatches(run: Run, create: CreateOperation): Promise<Mismatch[]> {
  if (!isRepeatable(run, create)) return [];
  const inputOf = (name: string) => create.input({ name, displayName: plainestDisplayName(run) });
  const name = nameOfLength(run, limits.nameLength);
  const first = await run.client.call(create.id, inputOf(name));
  if (!isSuccessful(first)) return [];
  const send = (other: string): Promise<Exchange> => createAndRemove(run, create.id, inputOf(other));
  const similar = `${name.slice(0, -1)}y`;
  try {
    if (isSuccessful(await send(similar))) return [];
    const isOtherAccepted = async (): Promise<boolean> =>
      isSuccessful(await send(nameOfLength(run, limits.nameLength)));
    if (!(await isOtherAccepted())) return [];
    const again = await send(similar);
    // A quota may be used up for a while.
    if (!isRefused(again) || QUOTA_STATUSES.includes(again.response.status) || !(await isOtherAccepted())) return [];
    return statusClass(again, '2xx').map((found) => ({ ...found, before: [first] }));
  } finally {
    await removeByRequestedName(run, create.id, inputOf(name));
  }
}
