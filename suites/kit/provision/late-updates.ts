/**
 * Agents that may be disabled for a moment after they were enabled again: updates take effect later, one after the other
 * (Deployments: "Any spec change triggers a deployment").
 */
import type { Run } from '../../engine/run.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { consecutively, eventually, isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';

const lateUpdates = sharedValue<Set<string>>();

const namesIn = (run: Run): Promise<Set<string>> => lateUpdates.get(run, async () => new Set());

/** After an accepted update that disables the agent, unless the case waits until it has taken effect. */
export const mayBeDisabledLater = async (run: Run, name: string): Promise<void> => {
  (await namesIn(run)).add(name);
};

/** After an enabled agent has stopped serving and serves again. */
export const servesAgain = async (run: Run, name: string): Promise<void> => {
  (await namesIn(run)).delete(name);
};

interface AgentRequests {
  readonly update: (spec: { enabled: boolean }) => Promise<Exchange>;
  readonly query: () => Promise<Exchange>;
}

/**
 * Before a case queries the agent. If it may still be disabled, disables it, waits until it no longer serves, enables it,
 * and waits until it serves: earlier updates have taken effect by then. Each wait ends after the patience of the run.
 */
export async function waitForUpdates(run: Run, name: string, { update, query }: AgentRequests): Promise<void> {
  const late = await namesIn(run);
  if (!late.delete(name)) return;
  const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);
  const disabled = await update({ enabled: false });
  if (isSuccessful(disabled)) await eventually(consecutively(query, isNotServed), isNotServed, run.patienceSeconds);
  await update({ enabled: true });
  await eventually(consecutively(query, isSuccessful), isSuccessful, run.patienceSeconds);
}
