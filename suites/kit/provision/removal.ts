/** Creates resources that are removed at once. */
import { withPlace } from './places.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { describeCreation, isCreatedByRun } from '../../target/creations.ts';

/** Returns the exchange of the create. If the target cannot remove the resource, it counts against the budget. */
export async function createAndRemove(
  run: Run,
  id: OperationId,
  input: CallInput,
  client: Client = run.client,
): Promise<Exchange> {
  return withPlace(run, async () => {
    const created = await client.call(id, input);
    if (isSuccessful(created)) await removeCreated(run, id, input, created);
    return created;
  });
}

/** Removes what a call created. If that fails, it is removed at the end of the run. Returns the exchange of the removal. */
export async function removeByRequestedName(
  run: Pick<Run, 'client'>,
  id: OperationId,
  input: CallInput,
): Promise<Exchange | undefined> {
  const removal = describeCreation(id, input)?.removal;
  return removal && run.client.call(removal.operation, { path: removal.path });
}

/** Like removeByName, for resources whose name may be only in the response. False if the resource cannot be identified. */
export async function removeCreated(
  run: Run,
  id: OperationId,
  input: CallInput,
  creationExchange: Exchange,
): Promise<boolean> {
  const creation = describeCreation(id, input, creationExchange.response.json);
  if (creation?.removal === undefined || !isCreatedByRun(creation, run.prefix)) return false;
  await run.client.call(creation.removal.operation, { path: creation.removal.path });
  return true;
}
