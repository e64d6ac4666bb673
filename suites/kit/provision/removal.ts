/** Creates what is only wanted for its answer, and removes it at once where the target can. */
import type { OperationId } from '../../../spec/generated/types.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import { describeCreation, isCreatedByRun } from '../../target/creations.ts';

/** Gives the exchange of the creation, whatever it was answered. A target that cannot remove it keeps it, on the budget. */
export async function createAndRemove(
  run: Run,
  id: OperationId,
  input: CallInput,
  client: Client = run.client,
): Promise<Exchange> {
  const created = await client.call(id, input);
  if (isSuccessful(created)) await removeCreated(run, id, input, created);
  return created;
}

/** Removes what a call created, if the target can: else it is tried again at the end of the run. Gives what it sent. */
export async function removeByName(
  run: Pick<Run, 'client'>,
  id: OperationId,
  input: CallInput,
): Promise<Exchange | undefined> {
  const removal = describeCreation(id, input)?.removal;
  return removal && run.client.call(removal.operation, { path: removal.path });
}

/** The same of what may have no name but in the answer to its creation. False where it cannot be found again, or is not surely own. */
export async function removeCreated(
  run: Run,
  id: OperationId,
  input: CallInput,
  creationExchange: Exchange,
): Promise<boolean> {
  const creation = describeCreation(id, input, creationExchange.answer.json);
  if (creation?.removal === undefined || !isCreatedByRun(creation, run.prefix)) return false;
  await run.client.call(creation.removal.operation, { path: creation.removal.path });
  return true;
}
