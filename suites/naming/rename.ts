/** Tries to rename an agent, then checks both names. */
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { agentUpdate } from '../kit/provision/agents.ts';
import { clientFor, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/** An update whose body has another name than its path. */
const updateAs = (run: Run, agent: string, name: unknown, variant = defaultVariant): Promise<Exchange> =>
  clientFor(run, variant).call('updateAgent', { path: { agentName: agent }, body: { metadata: { name }, spec: {} } });

/** The update is refused, or its response has the name of the path. If it did rename the agent, renames it back. */
export async function notRenamed(run: Run, agent: string, name: unknown, variant?: CallerVariant): Promise<Mismatch[]> {
  const exchange = await updateAs(run, agent, name, variant);
  if (!isSuccessful(exchange)) return statusClass(exchange, '4xx');
  const returned = run.need(metadataIn(exchange.response.json)['name'], 'an agent update whose response has the name');
  if (typeof returned === 'string' && returned !== agent) await updateAs(run, returned, agent);
  return renamed(exchange, agent, returned);
}

/** Expects the name of the path in the response to an update whose body has another one. */
export const renamed = (exchange: Exchange, agent: string, returned: unknown): Mismatch[] =>
  returned === agent
    ? []
    : [{ expected: `refused, or name "${agent}"`, actual: `name ${JSON.stringify(returned)}`, exchange }];

/** The agent still exists under its own name. */
export async function stillThere(run: Run, agent: string): Promise<Mismatch[]> {
  const update = () => run.client.call('updateAgent', agentUpdate(agent));
  return statusClass(await eventually(update, isSuccessful, run.patienceSeconds), '2xx');
}

/** No agent has these names, so updates are refused. A name that was never sent before reveals whether updates create agents. */
export async function notCreated(run: Run, names: readonly string[]): Promise<Mismatch[]> {
  const update = (name: string): Promise<Exchange> => run.client.call('updateAgent', agentUpdate(name));
  if (isSuccessful(await update(run.newName()))) return [];
  const mismatches: Mismatch[] = [];
  for (const name of names) mismatches.push(...statusClass(await update(name), '4xx'));
  return mismatches;
}
