/** Updates of an mk2 agent that leave out `runtime`: the document does not say of which generation the agent is then. */
import type { Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { fieldsOf } from '../../json/fields.ts';
import { agentUpdate } from '../provision/agents.ts';
import type { Exchange } from '../../target/client.ts';
import { passingAgent } from './passing-agent.ts';
import { putBody, readUntil } from './subject.ts';
import type { Spec, Subject } from './subject.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const keepsMk2 = sharedValue<boolean>();

/**
 * Whether the agent is the run's own, and such an update leaves it as it is. Another default may move an agent to mk3, and
 * then not let it back.
 */
export const mayLeaveOut = async (run: Run, { name, generation }: Subject): Promise<boolean> =>
  generation === 'mk2' && name.startsWith(run.prefix) && (await staysMk2(run));

/** Tried with an agent that is only there for that. False where the target does not let the run make one. */
function staysMk2(run: Run): Promise<boolean> {
  return keepsMk2.get(run, async () => {
    const made = await passingAgent(run);
    if (made === undefined) return false;
    const { subject, remove } = made;
    const update = () => run.client.call('updateAgent', agentUpdate(subject.name));
    const updated = await eventually(update, isSuccessful, run.patienceSeconds);
    const isLeft = showsMk2(updated) && showsMk2(await readUntil(run, subject, showsMk2));
    await remove();
    return isLeft;
  });
}

export function showsMk2(exchange: Exchange): boolean {
  const runtime = fieldsOf(fieldsOf(fieldsOf(exchange.answer.json)?.['spec'])?.['runtime']);
  return isSuccessful(exchange) && runtime?.['generation'] === 'mk2';
}

export const putWithoutRuntime = (run: Run, subject: Subject, spec: Spec): Promise<Exchange> =>
  putBody(run, subject, { metadata: { name: subject.name }, spec });
