/** The history of threads: the earlier inputs to an agent. A thread belongs to one agent and is dropped with it. */
import type { Inference } from '../../state/inference.ts';

const MAX_THREADS = 1000;
const MAX_TURNS = 50;
const MAX_TEXT = 500;

/** Oldest first; empty without a thread. */
export function previousTurns({ threads }: Inference, uuid: string, thread: string | undefined): readonly string[] {
  return thread === undefined ? [] : (threads[`${uuid}/${thread}`] ?? []);
}

/** Does nothing without a thread (inference.agents.no-thread-no-memory). Drops the least recently used threads above the limit. */
export function rememberTurn({ threads }: Inference, uuid: string, thread: string | undefined, inputs: string): void {
  if (thread === undefined) return;
  const key = `${uuid}/${thread}`;
  const turns = [...(threads[key] ?? []), inputs.slice(0, MAX_TEXT)].slice(-MAX_TURNS);
  // Deleted first, so that the keys are in order of last use.
  delete threads[key];
  threads[key] = turns;
  const keys = Object.keys(threads);
  if (keys.length > MAX_THREADS) for (const old of keys.slice(0, -MAX_THREADS)) delete threads[old];
}
