/** Agents that a run queries, and how it waits for one that is still starting. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { firstResponse, queryableAgent } from '../kit/provision/agents.ts';

/** An agent, and the target's mk3 agent if it has one. They may not respond. */
export async function candidateAgents(run: Run): Promise<string[]> {
  const { mk3Agent } = run.target.resources;
  const agent = await queryableAgent(run);
  return mk3Agent === undefined || mk3Agent === agent ? [agent] : [agent, await queryableAgent(run, 'mk3')];
}

/** Agents that respond with 2xx, at least one. Throws NotTried if there is none. */
export async function respondingAgents(run: Run): Promise<[string, ...string[]]> {
  const responding: string[] = [];
  const refusals: string[] = [];
  for (const agent of await candidateAgents(run)) {
    const exchange = await firstResponse(run, agent);
    if (isSuccessful(exchange)) responding.push(agent);
    else refusals.push(`${agent} returned ${exchange.response.status}`);
  }
  const [first, ...others] = responding;
  return [run.need(first, `an agent that responds with 2xx: ${refusals.join(', ')}`), ...others];
}
