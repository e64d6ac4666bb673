/** Agents that a run queries, and how it waits for one that is still starting. */
import type { Run } from '../engine/conforms.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { queryableAgent, queryAgent } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';

/** An agent, and the target's mk3 agent if it has one. They may not respond. */
export async function candidateAgents(run: Run): Promise<string[]> {
  const { mk3Agent } = run.target.resources;
  const agent = await queryableAgent(run);
  return mk3Agent === undefined || mk3Agent === agent ? [agent] : [agent, await queryableAgent(run, 'mk3')];
}

const firstResponses = sharedValues<Exchange>();

/** The first 2xx response of an agent in this run, or its last response at the timeout. */
export const firstResponse = (run: Run, agent: string): Promise<Exchange> =>
  firstResponses.get(run, agent, () => eventually(() => queryAgent(run, agent), isSuccessful, run.patienceSeconds));

/** Agents that respond with 2xx, at least one. Throws NotTried if there is none. */
export async function respondingAgents(run: Run): Promise<[string, ...string[]]> {
  const responding: string[] = [];
  for (const agent of await candidateAgents(run)) {
    if (isSuccessful(await firstResponse(run, agent))) responding.push(agent);
  }
  const [first, ...others] = responding;
  return [run.need(first, 'an agent that responds'), ...others];
}
