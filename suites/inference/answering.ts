/** Agents and models that answer: where a run asks, and how it waits for one that is still waking up. */
import type { Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { queryableAgent, queryAgent } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';

/** Agents of both generations, where the target names one of mk3; whether they answer is not known. */
export async function agentsToAsk(run: Run): Promise<string[]> {
  const { mk3Agent } = run.target.resources;
  const agent = await queryableAgent(run);
  return mk3Agent === undefined || mk3Agent === agent ? [agent] : [agent, mk3Agent];
}

/** The first answer 2xx of an agent, else its last one when the time is up. */
export const firstAnswer = (run: Run, agent: string): Promise<Exchange> =>
  eventually(() => queryAgent(run, agent), isSuccessful, run.patienceSeconds);

/** Those of the agents that answer, at least one. Throws NotTried where there is none. */
export async function answeringAgents(run: Run): Promise<[string, ...string[]]> {
  const answering: string[] = [];
  for (const agent of await agentsToAsk(run)) {
    if (isSuccessful(await firstAnswer(run, agent))) answering.push(agent);
  }
  const [first, ...others] = answering;
  return [run.need(first, 'an agent that answers'), ...others];
}
