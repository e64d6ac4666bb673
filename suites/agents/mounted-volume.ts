/** agents.runtime.bounds: what happens when a volume that the agent mounts is removed. */
import type { Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { put, readAgent, restore } from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import { isSuccessful } from '../target/eventually.ts';
import { specWithVolumes } from './volumes.ts';

/** Removes a volume that it created itself. Skipped if the target file names no region, or the agent does not accept the volume. */
export async function observeMountedVolume(run: Run, testAgent: TestAgent): Promise<void> {
  const { region } = run.target.resources.volume ?? {};
  if (region === undefined) return;
  const name = run.newName();
  const body = { metadata: { name }, spec: { region } };
  if (!isSuccessful(await run.client.call('createVolume', { body }))) return;
  if (!isSuccessful(await put(run, testAgent, specWithVolumes({ region, names: [name] })))) return;
  const removed = await run.client.call('deleteVolume', { path: { volumeName: name } });
  run.observe('a removal of a volume that the agent mounts', { status: removed.response.status });
  if (isSuccessful(removed)) await observeAgent(run, testAgent, name);
  await restore(run, testAgent);
}

async function observeAgent(run: Run, testAgent: TestAgent, volume: string): Promise<void> {
  const agent = await readAgent(run, testAgent);
  const volumes = fieldsOf(fieldsOf(agent.response.json)?.['spec'])?.['volumes'];
  const mounts = Array.isArray(volumes) && volumes.some((each) => fieldsOf(each)?.['name'] === volume);
  if (isSuccessful(agent))
    run.observe('the agent after the removal of its volume', mounts ? 'mounts it' : 'does not mount it');
}
