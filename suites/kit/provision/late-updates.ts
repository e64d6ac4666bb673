/**
 * Agents that may be disabled for a moment after they were enabled again: updates take effect later, one after the other
 * (Deployments: "Any spec change triggers a deployment").
 */
import type { Run } from '../../engine/run.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { consecutively, eventually, isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { newStop, toleratedMs } from './final-stop.ts';

/** An agent that was disabled, and may have been enabled again. Instants are of `performance.now()`. */
interface Disabled {
  /** Of the last disabling update. */
  disabledMs: number;
  /** The longest time from a disabling update to the next one that enabled it. */
  longestMs: number;
  /** Of the last update. */
  lastMs: number;
  /** Whether the updates have taken effect in time. All that query the agent at the same time wait for the same updates. */
  wait?: Promise<boolean>;
}

interface LateUpdates {
  readonly agents: Map<string, Disabled>;
  /** The longest that a disabling update has taken to have an effect. Undefined before the first. */
  slowestMs: number | undefined;
}

const lateUpdates = sharedValue<LateUpdates>();

const updatesOf = (run: Run): Promise<LateUpdates> =>
  lateUpdates.get(run, async () => ({ agents: new Map(), slowestMs: undefined }));

/** After each accepted update of an agent, unless the case waits until it has taken effect. */
export async function noteUpdate(run: Run, name: string, isDisabling: boolean): Promise<void> {
  const { agents } = await updatesOf(run);
  const lastMs = performance.now();
  const known = agents.get(name) ?? { disabledMs: lastMs, longestMs: 0, lastMs };
  if (isDisabling) agents.set(name, known);
  // The first update after a disabling one enables the agent again.
  if (known.lastMs === known.disabledMs) known.longestMs = Math.max(known.longestMs, lastMs - known.disabledMs);
  known.lastMs = lastMs;
  if (isDisabling) known.disabledMs = lastMs;
}

/** After an enabled agent has stopped serving and serves again. */
export const servesAgain = async (run: Run, name: string): Promise<void> => {
  (await updatesOf(run)).agents.delete(name);
};

interface AgentRequests {
  readonly update: (spec: { enabled: boolean }) => Promise<Exchange>;
  readonly query: () => Promise<Exchange>;
}

/**
 * Before a case queries the agent. If it may still be disabled, disables it, waits until it no longer serves, enables it,
 * and waits until it serves: earlier updates have taken effect by then. There is no wait if the last update is older than
 * updates take on this target. Returns whether they have taken effect, within the patience of the run for each wait.
 */
export async function waitForUpdates(run: Run, name: string, requests: AgentRequests): Promise<boolean> {
  const updates = await updatesOf(run);
  const { agents } = updates;
  const disabled = agents.get(name);
  if (disabled === undefined) return true;
  disabled.wait ??= disableAndEnable(run, disabled, updates, requests).catch((error: unknown) => {
    delete disabled.wait; // The next case that queries the agent tries again.
    throw error;
  });
  const hasSettled = await disabled.wait;
  if (hasSettled) agents.delete(name);
  return hasSettled;
}

async function disableAndEnable(
  { patienceSeconds }: Run,
  disabled: Disabled,
  updates: LateUpdates,
  { update, query }: AgentRequests,
): Promise<boolean> {
  const startMs = performance.now();
  const updateMs = toleratedMs(updates.slowestMs);
  if (startMs - disabled.lastMs > updateMs) return true;
  disabled.lastMs = startMs; // If this throws, the next case has to wait, too.
  const stop = newStop({ ...disabled, maxMs: Math.min(updateMs, (patienceSeconds * 1000) / 3) });
  const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);
  let hasStopped = false;
  const stopsServing = (exchange: Exchange): boolean =>
    (hasStopped = stop.isFinal(isSuccessful(exchange), performance.now()));
  if (isSuccessful(await update({ enabled: false })))
    await eventually(consecutively(query, isNotServed), stopsServing, patienceSeconds);
  if (hasStopped) updates.slowestMs = Math.max(stop.sinceMs() - startMs, updates.slowestMs ?? 0);
  const isEnabled = isSuccessful(await update({ enabled: true }));
  const last = await eventually(consecutively(query, isSuccessful), isSuccessful, patienceSeconds);
  return hasStopped && isEnabled && isSuccessful(last);
}
