/** Volumes that an agent accepts: that of the target file, and two more if the run can create them. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { kindOf, put, restore } from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import { sharedValues } from '../engine/shared-values.ts';

const attachableVolumesCache = sharedValues<Volumes>();
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

/** Throws NotTried if the target file names none or the agent does not accept it. Leaves the agent without them. */
export function attachableVolumes(run: Run, testAgent: TestAgent): Promise<Volumes> {
  run.slotOf('volumes');
  return attachableVolumesCache.get(run, kindOf(run, testAgent), async () => {
    const { name, region } = run.need(run.target.resources.volume, 'volume: a volume with its region');
    const single = { region, names: [name] };
    const three = { region, names: [name, ...(await createVolumes(run, region))] };
    const accepts = async (volumes: Volumes): Promise<boolean> =>
      isSuccessful(await put(run, testAgent, specWithVolumes(volumes)));
    const acceptsThree = three.names.length === 3 && (await accepts(three));
    const accepted = acceptsThree || (await accepts(single));
    await restore(run, testAgent);
    run.need(accepted, `an agent that accepts the volume ${name} in region ${region}`);
    return acceptsThree ? three : single;
  });
}

/** A spec with all of them, each with its own mount path. */
export function specWithVolumes({ region, names }: Volumes): { region: string; volumes: Attachment[] } {
  const volumes = names.map((name, index) => ({ name, mountPath: `/mnt/assay-${index}`, readOnly: index === 0 }));
  return { region, volumes };
}

function createVolumes(run: Run, region: string): Promise<string[]> {
  return volumesOfRun.get(run, region, async () => {
    const created = [];
    for (const name of [run.newName(), run.newName()]) {
      const body = { metadata: { name }, spec: { region } };
      if (isSuccessful(await run.client.call('createVolume', { body }))) created.push(name);
    }
    return created;
  });
}
