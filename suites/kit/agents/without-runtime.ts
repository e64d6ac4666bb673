/** Updates of an mk2 agent without `runtime`: which generation the agent then has is not documented. */
import type { Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { fieldsOf } from '../../json/fields.ts';
import { updateWith } from '../provision/agents.ts';
import type { Exchange } from '../../target/client.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { createTemporaryAgent } from './temporary-agent.ts';
import { sendUpdate, readUntil } from './test-agent.ts';
import type { Spec, TestAgent } from './test-agent.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const keepsMk2Cache = sharedValue<boolean>();

/**
 * Whether the run has created the agent and such an update keeps its generation. Another default could move the agent
 * to mk3 irreversibly.
 */
export const mayOmitRuntime = async (run: Run, { name, generation }: TestAgent): Promise<boolean> =>
  generation === 'mk2' && name.startsWith(run.prefix) && (await keepsMk2(run));

/** Tried with a temporary agent. False if the run cannot create one. */
function keepsMk2(run: Run): Promise<boolean> {
  return keepsMk2Cache.get(run, async () => {
    const temporary = await undefinedIfNotTried(createTemporaryAgent(run));
    if (temporary === undefined) return false;
    const { testAgent, remove } = temporary;
    const update = () => run.client.call('updateAgent', updateWith(testAgent.name));
    const updated = await eventually(update, isSuccessful, run.patienceSeconds);
    const isStillMk2 = hasMk2(updated) && hasMk2(await readUntil(run, testAgent, hasMk2));
    await remove();
    return isStillMk2;
  });
}

export function hasMk2(exchange: Exchange): boolean {
  const runtime = fieldsOf(fieldsOf(fieldsOf(exchange.response.json)?.['spec'])?.['runtime']);
  return isSuccessful(exchange) && runtime?.['generation'] === 'mk2';
}

export const putWithoutRuntime = (run: Run, testAgent: TestAgent, spec: Spec): Promise<Exchange> =>
  sendUpdate(run, testAgent, { metadata: { name: testAgent.name }, spec });
