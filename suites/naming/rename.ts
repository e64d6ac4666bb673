/** Tries to rename an agent, then checks both names, and the agent that already has the new one. */
import type { Run } from '../engine/run.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { agentSpec } from '../kit/agents/agent-spec.ts';
import { agentUpdate } from '../kit/provision/agents.ts';
import { lateness } from '../expect/instant.ts';
import { clientFor, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { learnUpdateTiming, readUntilVisible } from '../kit/provision/update-timing.ts';
import { performWrite, readBack } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/** An update whose body has another name than its path. */
const updateAs = (
  run: Run,
  agent: string,
  metadata: { readonly name: unknown; readonly displayName?: string },
  variant = defaultVariant,
): Promise<Exchange> =>
  clientFor(run, variant).call('updateAgent', { path: { agentName: agent }, body: { metadata, spec: agentSpec(run) } });

/** The update is refused, or its response has the name of the path. If it did rename the agent, renames it back. */
export async function notRenamed(run: Run, agent: string, name: unknown, variant?: CallerVariant): Promise<Mismatch[]> {
  const exchange = await updateAs(run, agent, { name }, variant);
  if (!isSuccessful(exchange)) return statusClass(exchange, '4xx');
  const returned = run.need(metadataIn(exchange.response.json)['name'], 'an agent update whose response has the name');
  if (typeof returned === 'string' && returned !== agent) await updateAs(run, returned, { name: agent });
  return renamed(exchange, agent, returned);
}

/** Expects the name of the path in the response to an update whose body has another one. */
export const renamed = (exchange: Exchange, agent: string, returned: unknown): Mismatch[] =>
  returned === agent
    ? []
    : [{ expected: `refused, or name "${agent}"`, actual: `name ${JSON.stringify(returned)}`, exchange }];

/**
 * An update whose body has the name of another existing agent is refused, or is an update of the agent of the path: the other one
 * does not change, and the agent of the path has what the response shows.
 */
export async function otherUnchanged(run: Run, agent: string, other: Write & { agent: string }): Promise<Mismatch[]> {
  const updated = { name: agent, generation: 'mk2' } as const;
  const read = (name: string) => readBack(run, 'updateAgent', agentUpdate(run, name));
  await learnUpdateTiming(run, updated, () => read(agent));
  const own = await run.client.call('updateAgent', agentUpdate(run, agent));
  const { exchange: othersOwn } = await performWrite(run, other, {}, { isRead: false });
  const displayName = run.newName();
  const exchange = await updateAs(run, agent, { name: other.agent, displayName });
  const isReturnedIn = (returned: Exchange | undefined): boolean => fieldIn(returned, 'displayName') === displayName;
  const found = isSuccessful(exchange)
    ? [
        ...renamed(exchange, agent, fieldIn(exchange, 'name') ?? agent),
        ...createdAsOther(exchange, agent, own, othersOwn),
      ]
    : statusClass(exchange, '4xx');
  if (isSuccessful(exchange) && isReturnedIn(exchange)) {
    const readAgent = async () => (await read(agent)) ?? exchange;
    const kept = await readUntilVisible(run, updated, agentSpec(run), readAgent, isReturnedIn);
    if (!isReturnedIn(kept)) found.push(...notAsUpdated(agent, displayName, kept, exchange));
  }
  const otherRead = await read(other.agent);
  if (otherRead === undefined || !isReturnedIn(otherRead)) return found;
  const expected = `agent "${other.agent}" unchanged by an update of "${agent}"`;
  return [...found, { expected, actual: `displayName "${displayName}"`, exchange: otherRead, before: [exchange] }];
}

const fieldIn = (exchange: Exchange | undefined, field: 'name' | 'displayName' | 'createdAt'): unknown =>
  metadataIn(exchange?.response.json)[field];

/** The response has the createdAt of the other agent, which is not that of the agent itself. */
function createdAsOther(exchange: Exchange, agent: string, own: Exchange, othersOwn: Exchange): Mismatch[] {
  const [returned, ...known] = [exchange, own, othersOwn].map((each) => fieldIn(each, 'createdAt'));
  const [ownTime, otherTime] = known;
  if (typeof ownTime !== 'string' || typeof returned !== 'string' || returned !== otherTime) return [];
  if (lateness(ownTime, returned) === 0) return [];
  const expected = `refused, or the agent "${agent}", created at ${ownTime}`;
  return [{ expected, actual: `createdAt ${returned}`, exchange, before: [own, othersOwn] }];
}

function notAsUpdated(agent: string, displayName: string, kept: Exchange, exchange: Exchange): Mismatch[] {
  const expected = `agent "${agent}" with displayName "${displayName}", as in the response to the update`;
  const actual = `displayName ${JSON.stringify(fieldIn(kept, 'displayName'))}`;
  return [{ expected, actual, exchange: kept, before: [exchange] }];
}

/** The agent still exists under its own name. */
export async function stillThere(run: Run, agent: string): Promise<Mismatch[]> {
  const update = () => run.client.call('updateAgent', agentUpdate(run, agent));
  return statusClass(await eventually(update, isSuccessful, run.patienceSeconds), '2xx');
}

/** No agent has these names, so updates are refused. A name that was never sent before reveals whether updates create agents. */
export async function notCreated(run: Run, names: readonly string[]): Promise<Mismatch[]> {
  const update = (name: string): Promise<Exchange> => run.client.call('updateAgent', agentUpdate(run, name));
  if (isSuccessful(await update(run.newName()))) return [];
  const mismatches: Mismatch[] = [];
  for (const name of names) mismatches.push(...statusClass(await update(name), '4xx'));
  return mismatches;
}
