/**
 * Agents that may be disabled for a moment after they were enabled again: updates take effect later, one after the other
 * (Deployments: "Any spec change triggers a deployment").
 */
import type { Run } from '../../engine/run.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { consecutively, eventually, isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';

/** What is known of an agent that a case has disabled. `unsettled`: its updates took longer than the patience of the run. */
type State = 'late' | 'unsettled';

const lateUpdates = sharedValue<Map<string, State>>();

const statesIn = (run: Run): Promise<Map<string, State>> => lateUpdates.get(run, async () => new Map());

/** After an accepted update that disables the agent, unless the case waits until it has taken effect. */
export async function mayBeDisabledLater(run: Run, name: string): Promise<void> {
  const states = await statesIn(run);
  if (!states.has(name)) states.set(name, 'late');
}

/** After an enabled agent has stopped serving and serves again. */
export const servesAgain = async (run: Run, name: string): Promise<void> => {
  (await statesIn(run)).delete(name);
};

interface AgentRequests {
  readonly update: (spec: { enabled: boolean }) => Promise<Exchange>;
  readonly query: () => Promise<Exchange>;
}

/**
 * Before a case queries the agent. If it may still be disabled, disables it, waits until it no longer serves, enables it,
 * and waits until it serves: earlier updates have taken effect by then. Returns whether they have, within the patience of
 * the run for each wait.
 */
export async function waitForUpdates(run: Run, name: string, requests: AgentRequests): Promise<boolean> {
  const states = await statesIn(run);
  if (states.get(name) === 'late') {
    states.set(name, 'unsettled');
    if (await takesEffect(run, requests)) states.delete(name);
  }
  return !states.has(name);
}

async function takesEffect({ patienceSeconds }: Run, { update, query }: AgentRequests): Promise<boolean> {
  const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);
  const becomes = async (holds: typeof isNotServed): Promise<boolean> =>
    holds(await eventually(consecutively(query, holds), holds, patienceSeconds));
  const isDisabled = isSuccessful(await update({ enabled: false })) && (await becomes(isNotServed));
  return isSuccessful(await update({ enabled: true })) && isDisabled && (await becomes(isSuccessful));
}
