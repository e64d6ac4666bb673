/** Volumes that an agent takes: the named one, and where the target lets the run make some, two more beside it. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { put } from '../kit/agents/subject.ts';
import type { Subject } from '../kit/agents/subject.ts';
import { sharedValues } from '../engine/shared-values.ts';

const attachableVolumes = sharedValues<Volumes>();
const volumesOfRun = sharedValues<string[]>();

export interface Volumes {
  readonly region: string;
  /** One, or three. */
  readonly names: readonly string[];
}

export interface Attachment {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
}

/** Throws NotTried where the target names none, or the agent does not take it. */
export function attachable(run: Run, subject: Subject): Promise<Volumes> {
  return attachableVolumes.get(run, subject.name, async () => {
    const { name, region } = run.need(run.target.resources.volume, 'volume: a volume with its region');
    const one = { region, names: [name] };
    const accepted = isSuccessful(await put(run, subject, attached(one)));
    run.need(accepted, `an agent that takes the volume ${name} in region ${region}`);
    const three = { region, names: [name, ...(await ownVolumes(run, region))] };
    return three.names.length === 3 && isSuccessful(await put(run, subject, attached(three))) ? three : one;
  });
}

/** A spec with all of them, each at a place of its own. */
export function attached({ region, names }: Volumes): { region: string; volumes: Attachment[] } {
  const volumes = names.map((name, index) => ({ name, mountPath: `/mnt/assay-${index}`, readOnly: index === 0 }));
  return { region, volumes };
}

function ownVolumes(run: Run, region: string): Promise<string[]> {
  return volumesOfRun.get(run, region, async () => {
    const made = [];
    for (const name of [run.newName(), run.newName()]) {
      const body = { metadata: { name }, spec: { region } };
      if (isSuccessful(await run.client.call('createVolume', { body }))) made.push(name);
    }
    return made;
  });
}
