/** Volumes that an agent accepts: that of the target file, and others if the run can create them. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { describeRefusal } from '../expect/describe-refusal.ts';
import { kindOf, put, putValid, restore } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { eachTestAgent } from '../kit/agents/test-agents.ts';
import { agentSlotCount } from '../kit/provision/agents.ts';
import { createAndRemove } from '../kit/provision/removal.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sharedValue, sharedValues } from '../engine/shared-values.ts';

/** By slot: cases that run at the same time attach different volumes. */
const namesOfRun = sharedValues<readonly string[]>();
/** By kind of agent. */
const acceptedOfKinds = sharedValues<AcceptedVolumes>();
const addedSets = sharedValue<void>();

/** How many cases may attach volumes at the same time, if the run creates volumes for them. */
const MAX_SETS = 2;
const SET_SIZE = 3;

export interface Volumes {
  readonly region: string;
  /** One, or three. */
  readonly names: readonly string[];
  /** The refusal of a volume that is read-only, where another one is accepted. */
  readonly refusedReadOnly?: Exchange;
  /** How many volumes at once are refused, where one is accepted. */
  readonly refusedCount?: number;
}

type AcceptedVolumes = Pick<Volumes, 'refusedReadOnly' | 'refusedCount'> & { readonly count: number };

export interface Attachment {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
}

/**
 * Only this case attaches them. Throws NotTried if the target file names none or the agent does not accept it. Leaves the
 * agent without them.
 */
export async function attachableVolumes(run: Run, testAgent: TestAgent): Promise<Volumes> {
  const { count, ...refused } = await acceptedVolumes(run, testAgent);
  await addSetsIfAwaited(run, testAgent);
  return { region: volumeOfTarget(run).region, names: (await volumeNames(run)).slice(0, count), ...refused };
}

/** A spec with all of them, each with its own mount path, the first one read-only if that is accepted. */
export function specWithVolumes({ region, names, refusedReadOnly }: Volumes): {
  region: string;
  volumes: Attachment[];
} {
  const isReadOnly = (index: number): boolean => index === 0 && refusedReadOnly === undefined;
  const mounted = (name: string, index: number) => ({
    name,
    mountPath: `/mnt/assay-${index}`,
    readOnly: isReadOnly(index),
  });
  return { region, volumes: names.map(mounted) };
}

/** In inputs, which must not depend on the volumes that other cases attach at the same time. */
export const placeholders: readonly string[] = ['the first volume', 'the second volume', 'the third volume'];

/** The spec with volumes of this case in place of the placeholders. */
export async function withVolumeNames(run: Run, spec: Spec): Promise<Spec> {
  const { volumes } = spec as { volumes?: readonly Attachment[] };
  if (volumes === undefined || volumes.length === 0) return spec;
  const names = await volumeNames(run);
  const nameOf = (name: string): string => names[placeholders.indexOf(name)] ?? name;
  return { ...spec, volumes: volumes.map((volume) => ({ ...volume, name: nameOf(volume.name) })) };
}

const volumeOfTarget = (run: Run): { readonly name: string; readonly region: string } =>
  run.need(run.target.resources.volume, 'volume: a volume with its region');

/** The first slot has the volume of the target file. Other slots exist only if their volumes do. */
function volumeNames(run: Run): Promise<readonly string[]> {
  const slot = run.slotOf('volumes');
  return namesOfRun.get(run, String(slot), async () => [
    volumeOfTarget(run).name,
    ...(await createVolumes(run, SET_SIZE - 1)),
  ]);
}

/** Found out once per kind of agent, which then has none of them. */
function acceptedVolumes(run: Run, testAgent: TestAgent): Promise<AcceptedVolumes> {
  return acceptedOfKinds.get(run, kindOf(run, testAgent), async () => {
    const { name, region } = volumeOfTarget(run);
    const names = await volumeNames(run);
    const acceptAll = async (all: Volumes) => names.length === SET_SIZE && (await areAccepted(run, testAgent, all));
    if (await acceptAll({ region, names })) return { count: SET_SIZE };
    const one = { region, names: names.slice(0, 1) };
    const { exchange, body } = await putValid(run, testAgent, specWithVolumes(one));
    const readOnly = isSuccessful(exchange) ? {} : { refusedReadOnly: exchange };
    const isAccepted = isSuccessful(exchange) || (await areAccepted(run, testAgent, { ...one, ...readOnly }));
    await restore(run, testAgent);
    const [{ mountPath }] = body.spec['volumes'] as [Attachment];
    const volume = `the volume ${name} in region ${region} at ${mountPath}`;
    run.need(isAccepted, `an agent that accepts ${volume} (${describeRefusal(exchange)})${pathHint(run)}`);
    // Perhaps with other mount paths, which the target accepts.
    if (await acceptAll({ region, names, ...readOnly })) return { count: SET_SIZE, ...readOnly };
    return { count: 1, ...readOnly, ...(names.length > 1 && { refusedCount: names.length }) };
  });
}

/** Whether the volume or its path is refused, only the message of the target may say. */
const pathHint = ({ target: { samples } }: Run): string =>
  samples.mountPath === undefined ? '; if its mountPath is refused: set samples.mountPath in the target file' : '';

/** Leaves the agent without them. */
async function areAccepted(run: Run, testAgent: TestAgent, volumes: Volumes): Promise<boolean> {
  const attached = await put(run, testAgent, specWithVolumes(volumes));
  await restore(run, testAgent);
  return isSuccessful(attached);
}

/** If cases wait for volumes and could use other agents, creates volumes for them. Never throws. */
async function addSetsIfAwaited(run: Run, testAgent: TestAgent): Promise<void> {
  // A quick run sends fewer requests with volumes than this.
  if (run.isQuick || !run.isAwaited('volumes')) return;
  const count = Math.min(await agentSlotCount(run), MAX_SETS);
  if (count > 1) await addedSets.get(run, () => addSets(run, testAgent, count)).catch(() => {}); // the case itself needs none of them
}

/** A set of created volumes must be like the first one, and the target must be able to remove them. */
async function addSets(run: Run, testAgent: TestAgent, maxCount: number): Promise<void> {
  for (const each of await eachTestAgent(run))
    if ((await undefinedIfNotTried(acceptedVolumes(run, each)))?.count !== SET_SIZE) return;
  const accepted = await acceptedVolumes(run, testAgent);
  const { region } = volumeOfTarget(run);
  await createAndRemove(run, 'createVolume', newVolume(run));
  if (run.mayCreate('createVolume') < Infinity) return;
  for (let slot = 1; slot < maxCount; slot += 1) {
    const names = await namesOfRun.get(run, String(slot), () => createVolumes(run, SET_SIZE));
    if (names.length < SET_SIZE || !(await areAccepted(run, testAgent, { ...accepted, region, names }))) return;
    run.widen('volumes', slot + 1);
  }
}

/** Fewer if the target refuses, or the budget allows no more. */
async function createVolumes(run: Run, count: number): Promise<string[]> {
  const created = [];
  for (let index = 0; index < count; index += 1) {
    const input = newVolume(run);
    const exchange = await undefinedIfNotTried(run.client.call('createVolume', input));
    if (exchange === undefined || !isSuccessful(exchange)) break;
    created.push(input.body.metadata.name);
  }
  return created;
}

const newVolume = (run: Run) => ({
  body: { metadata: { name: run.newName() }, spec: { region: volumeOfTarget(run).region } },
});
