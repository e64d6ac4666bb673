/** Writes with refused versions, repeated without one: the refused ones must have had no effect. */
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
import type { ManagementRequest } from '../kit/versions/requests.ts';

/** The responses to a write with each of the versions. Undefined if one is not refused, after which none is sent. */
async function refusals(
  run: Run,
  request: ManagementRequest,
  versions: readonly string[],
): Promise<Exchange[] | undefined> {
  const refused: Exchange[] = [];
  for (const version of versions) {
    const exchange = await withVersion(run, request, version);
    if (!isRefused(exchange)) return undefined;
    refused.push(exchange);
  }
  return refused;
}

/**
 * Creates with refused versions, then one of the same name without a version: accepted, with the fields of the last.
 * Empty if one of them was not refused, or if the target does not accept such a create.
 */
export async function refusedThenFresh(
  run: Run,
  create: CreateOperation,
  versions: readonly string[],
): Promise<Mismatch[][]> {
  const name = run.newName();
  const described = (displayName: string) => create.input({ name, displayName });
  const before = await refusals(run, { id: create.id, input: () => described('Refused') }, versions);
  if (before === undefined) return [];
  const accepted = await createAndRemove(run, create.id, described('Accepted'));
  if (isSuccessful(accepted)) return [after(before, shows(accepted, 'Accepted'))];
  const control = await createAndRemove(run, create.id, create.input(plainMetadata(run)));
  return isSuccessful(control) ? [after(before, statusClass(accepted, '2xx'))] : [];
}

const after = (before: readonly Exchange[], found: readonly Mismatch[]): Mismatch[] =>
  found.map((each) => ({ ...each, before }));

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
 * Agent updates with refused versions must have no effect. Empty if one was not refused, or if there is no agent whose
 * updates are accepted.
 */
export async function refusedUpdatesAreGone(run: Run, versions: readonly string[]): Promise<Mismatch[][]> {
  const agent = await undefinedIfNotTried(updatableAgent(run));
  if (agent === undefined) return [];
  const mark = newMark(run);
  if (!isSuccessful(await restoreAgent(run, agent))) return [];
  const before = await refusals(run, { id: 'updateAgent', input: () => refusedUpdate(run, agent, mark) }, versions);
  const traces = await tracesOfRefusedUpdate(run, agent, mark);
  return before === undefined ? [] : [after(before, traces)];
}

/**
 * Deletions with refused versions, then one without a version: it must still find the resource. Empty if no such resource
 * can be created, or if one was not refused.
 */
export async function refusedThenDeleted(
  run: Run,
  operation: OperationId,
  versions: readonly string[],
): Promise<Mismatch[][]> {
  const [id, provide] = deletions.find(([each]) => each === operation) ?? [];
  if (id === undefined || provide === undefined) return [];
  const { own, control } = await provide(run);
  if (own === undefined || control === undefined || !isSuccessful(control)) return [];
  const before = await refusals(run, { id, input: () => ({ path: own }) }, versions);
  return before === undefined ? [] : [after(before, statusClass(await deleteCreated(run, id, own), '2xx'))];
}

/** Image cleanups with refused versions must remove none. Empty if the target does not list images. */
export async function refusedCleanUp(run: Run, versions: readonly string[]): Promise<Mismatch[][]> {
  if (run.target.allow !== 'destroy') return [];
  const images = await run.client.call('listImages');
  const before = await refusals(run, { id: 'deleteUnusedImages', input: () => ({}) }, versions);
  if (before === undefined || !isSuccessful(images)) return [];
  return [after(before, noneMissing(images, await run.client.call('listImages')))];
}
