/** Writes with a refused version, repeated without it: the first must have had no effect. */
import {
  tracesOfRefusedUpdate,
  newMark,
  refusedUpdate,
  restoreAgent,
  updatableAgent,
} from '../kit/auth/agent-updates.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { createAndRemove } from '../kit/provision/removal.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import { noneMissing } from '../kit/auth/refused-writes.ts';
import { deleteCreated } from '../kit/auth/to-delete.ts';
import { withVersion } from '../kit/versions/with-version.ts';
import { deletions } from '../kit/versions/deletions.ts';

/**
 * A create with a refused version, then the same name without it: accepted, with the fields of the second. Empty if the
 * first was not refused, or if the target does not accept such a create.
 */
export async function refusedThenFresh(run: Run, create: CreateOperation, version: string): Promise<Mismatch[][]> {
  const name = run.newName();
  const described = (displayName: string) => create.input({ name, displayName });
  const refused = await withVersion(run, { id: create.id, input: () => described('Refused') }, version);
  if (!isRefused(refused)) return [];
  const accepted = await createAndRemove(run, create.id, described('Accepted'));
  if (isSuccessful(accepted)) return [statusClass(accepted, '2xx'), shows(accepted, 'Accepted')];
  const control = await createAndRemove(run, create.id, create.input(plainMetadata(run)));
  return isSuccessful(control) ? [statusClass(accepted, '2xx')] : [];
}

/** Checks the displayName, if the response has one: a server that stored the refused create would return its displayName. */
function shows(exchange: Exchange, displayName: string): Mismatch[] {
  const returned = metadataIn(exchange.response.json)['displayName'];
  if ((returned ?? displayName) === displayName) return [];
  return [
    {
      expected: `displayName ${JSON.stringify(displayName)}, of the create that was accepted`,
      actual: JSON.stringify(returned),
      exchange,
    },
  ];
}

/**
 * An agent update with a refused version must have no effect. Empty if it was not refused, or if there is no agent whose
 * updates are accepted.
 */
export async function refusedUpdateIsGone(run: Run, version: string): Promise<Mismatch[][]> {
  const agent = await undefinedIfNotTried(updatableAgent(run));
  if (agent === undefined) return [];
  const mark = newMark(run);
  if (!isSuccessful(await restoreAgent(run, agent))) return [];
  const refused = await withVersion(run, { id: 'updateAgent', input: () => refusedUpdate(agent, mark) }, version);
  const traces = await tracesOfRefusedUpdate(run, agent, mark);
  return isRefused(refused) ? [traces.map((found) => ({ ...found, before: [refused] }))] : [];
}

/**
 * A deletion with a refused version, then without it: the second must still find the resource. Empty if no such resource
 * can be created, or if the first was not refused.
 */
export async function refusedThenDeleted(run: Run, operation: OperationId, version: string): Promise<Mismatch[][]> {
  const [id, provide] = deletions.find(([each]) => each === operation) ?? [];
  if (id === undefined || provide === undefined) return [];
  const { own, control } = await provide(run);
  if (own === undefined || control === undefined || !isSuccessful(control)) return [];
  const refused = await withVersion(run, { id, input: () => ({ path: own }) }, version);
  return isRefused(refused) ? [statusClass(await deleteCreated(run, id, own), '2xx')] : [];
}

/** An image cleanup with a refused version must remove none. Empty if the target does not list images. */
export async function refusedCleanUp(run: Run, version: string): Promise<Mismatch[][]> {
  if (run.target.allow !== 'destroy') return [];
  const before = await run.client.call('listImages');
  const refused = await withVersion(run, { id: 'deleteUnusedImages', input: () => ({}) }, version);
  return isRefused(refused) && isSuccessful(before) ? [noneMissing(before, await run.client.call('listImages'))] : [];
}
