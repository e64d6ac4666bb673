/** Writes that are refused for their version, and then asked for again without one: the second is as if it were the first. */
import { leftNoTrace, newMark, refusedUpdate, restored, updatableAgent } from '../kit/auth/agent-updates.ts';
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
import { withVersion } from '../kit/versions/ask.ts';
import { deletions } from '../kit/versions/deletions.ts';

/**
 * A create that is refused for its version, then the same name again: accepted, and described as the second one was.
 * Nothing where it was not refused, or where this target does not accept such a create just then.
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

/** Where the answer shows a displayName: a server that answers a second create with the first one shows the refused one's. */
function shows(exchange: Exchange, displayName: string): Mismatch[] {
  const shown = metadataIn(exchange.response.json)['displayName'];
  if ((shown ?? displayName) === displayName) return [];
  return [
    {
      expected: `displayName ${JSON.stringify(displayName)}, of the create that was accepted`,
      actual: JSON.stringify(shown),
      exchange,
    },
  ];
}

/**
 * An update of an agent that is refused for its version, and shows nowhere. Nothing where this target did not refuse, or
 * there is no agent whose updates it accepts.
 */
export async function refusedUpdateIsGone(run: Run, version: string): Promise<Mismatch[][]> {
  const agent = await undefinedIfNotTried(updatableAgent(run));
  if (agent === undefined) return [];
  const mark = newMark(run);
  if (!isSuccessful(await restored(run, agent))) return [];
  const refused = await withVersion(run, { id: 'updateAgent', input: () => refusedUpdate(agent, mark) }, version);
  const traces = await leftNoTrace(run, agent, mark);
  return isRefused(refused) ? [traces.map((found) => ({ ...found, before: [refused] }))] : [];
}

/**
 * What can be deleted, refused for its version and then deleted: what was gone would not be found. Nothing where this target
 * cannot be made to have such a thing, or did not refuse.
 */
export async function refusedThenDeleted(run: Run, version: string): Promise<Mismatch[][]> {
  const findings: Mismatch[][] = [];
  for (const [id, provide] of deletions) {
    const { own, control } = await provide(run);
    if (own === undefined || control === undefined) continue;
    if (!isSuccessful(await run.client.call(id, { path: control }))) continue;
    const refused = await withVersion(run, { id, input: () => ({ path: own }) }, version);
    if (isRefused(refused)) findings.push(statusClass(await run.client.call(id, { path: own }), '2xx'));
  }
  return findings;
}

/** A clean-up of images that is refused for its version removes none. Nothing where the target does not list them. */
export async function refusedCleanUp(run: Run, version: string): Promise<Mismatch[][]> {
  if (run.target.allow !== 'destroy') return [];
  const before = await run.client.call('listImages');
  const refused = await withVersion(run, { id: 'deleteUnusedImages', input: () => ({}) }, version);
  return isRefused(refused) && isSuccessful(before) ? [noneMissing(before, await run.client.call('listImages'))] : [];
}
