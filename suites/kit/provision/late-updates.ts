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
  /** Of the first disabling update. */
  readonly firstMs: number;
  /** Of the last update. */
  lastMs: number;
  /** All that query the agent at the same time wait for the same updates. */
  wait?: Promise<void>;
}

interface LateUpdates {
  readonly agents: Map<string, Disabled>;
  /** The longest that a disabling update has taken to have an effect. Infinity before the first. */
  slowestMs: number;
}

const lateUpdates = sharedValue<LateUpdates>();

const updatesOf = (run: Run): Promise<LateUpdates> =>
  lateUpdates.get(run, async () => ({ agents: new Map(), slowestMs: Infinity }));

/** After each accepted update of an agent, unless the case waits until it has taken effect. */
export async function noteUpdate(run: Run, name: string, isDisabling: boolean): Promise<void> {
  const { agents } = await updatesOf(run);
  const lastMs = performance.now();
  const known = agents.get(name);
  if (known !== undefined) known.lastMs = lastMs;
  else if (isDisabling) agents.set(name, { firstMs: lastMs, lastMs });
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
 * and waits until it serves: earlier updates have taken effect by then. Each wait ends after the patience of the run. There
 * is none if the last update is older than that, or than updates take on this target.
 */
export async function waitForUpdates(run: Run, name: string, requests: AgentRequests): Promise<void> {
  const updates = await updatesOf(run);
  const { agents } = updates;
  const disabled = agents.get(name);
  if (disabled === undefined) return;
  disabled.wait ??= disableAndEnable(run, disabled, updates, requests)
    .then(() => void agents.delete(name))
    .finally(() => delete disabled.wait);
  await disabled.wait;
}

async function disableAndEnable(
  run: Run,
  disabled: Disabled,
  updates: LateUpdates,
  { update, query }: AgentRequests,
): Promise<void> {
  const seconds = run.patienceSeconds;
  const startMs = performance.now();
  if (startMs - disabled.lastMs > Math.min(seconds * 1000, toleratedMs(updates.slowestMs))) return;
  disabled.lastMs = startMs; // If this fails, the next case that queries the agent enables it.
  const stop = newStop(disabled.firstMs, updates.slowestMs);
  const stopsServing = (exchange: Exchange): boolean => stop.isFinal(isSuccessful(exchange), performance.now());
  const isNotServed = (exchange: Exchange): boolean => !isSuccessful(exchange);
  if (isSuccessful(await update({ enabled: false }))) {
    const last = await eventually(consecutively(query, isNotServed), stopsServing, seconds);
    const tookMs = stop.sinceMs() - startMs;
    if (isNotServed(last)) updates.slowestMs = Math.max(tookMs, updates.slowestMs === Infinity ? 0 : updates.slowestMs);
  }
  await update({ enabled: true });
  await eventually(consecutively(query, isSuccessful), isSuccessful, seconds);
}
