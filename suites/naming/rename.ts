/** Tries to give an agent another name, and looks for what became of either name. */
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { agentUpdate } from '../kit/provision/agents.ts';
import { clientFor, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/** An update at the path of one name, with another in its body. */
const updateAs = (run: Run, agent: string, name: unknown, way = defaultVariant): Promise<Exchange> =>
  clientFor(run, way).call('updateAgent', { path: { agentName: agent }, body: { metadata: { name }, spec: {} } });

/** Refused, or answered with the name of the path. Where it was renamed all the same, the name is put back. */
export async function notRenamed(run: Run, agent: string, name: unknown, way?: CallerVariant): Promise<Mismatch[]> {
  const exchange = await updateAs(run, agent, name, way);
  if (!isSuccessful(exchange)) return statusClass(exchange, '4xx');
  const shown = run.need(metadataIn(exchange.response.json)['name'], 'an agent update whose answer shows the name');
  if (shown === agent) return [];
  if (typeof shown === 'string') await updateAs(run, shown, agent);
  return [{ expected: `refused, or name "${agent}"`, actual: `name ${JSON.stringify(shown)}`, exchange }];
}

/** The agent is still there under its own name. */
export async function stillThere(run: Run, agent: string): Promise<Mismatch[]> {
  const update = () => run.client.call('updateAgent', agentUpdate(agent));
  return statusClass(await eventually(update, isSuccessful, run.patienceSeconds), '2xx');
}

/** None of these names is an agent's: its update is refused. One that nothing ever spoke of shows whether updates create. */
export async function notBorn(run: Run, names: readonly string[]): Promise<Mismatch[]> {
  const unknown = (name: string): Promise<Exchange> => run.client.call('updateAgent', agentUpdate(name));
  if (isSuccessful(await unknown(run.newName()))) return [];
  const born = [];
  for (const name of names) born.push(...statusClass(await unknown(name), '4xx'));
  return born;
}
