/** The memory of agents: what was asked earlier in a thread. A thread belongs to one agent, and goes with it. */
import type { Inference } from '../../state/inference.ts';

const MAX_THREADS = 1000;
const MAX_TURNS = 50;
const MAX_TEXT = 500;

/** The oldest first; none without a thread. */
export function previousTurns({ threads }: Inference, uuid: string, thread: string | undefined): readonly string[] {
  return thread === undefined ? [] : (threads[`${uuid}/${thread}`] ?? []);
}

/** Keeps nothing without a thread (inference.agents.no-thread-no-memory). Of too many threads the least recent is forgotten. */
export function rememberTurn({ threads }: Inference, uuid: string, thread: string | undefined, inputs: string): void {
  if (thread === undefined) return;
  const key = `${uuid}/${thread}`;
  const turns = [...(threads[key] ?? []), inputs.slice(0, MAX_TEXT)].slice(-MAX_TURNS);
  // Taken out first: the order of the keys is that of their last use.
  delete threads[key];
  threads[key] = turns;
  const keys = Object.keys(threads);
  if (keys.length > MAX_THREADS) for (const old of keys.slice(0, -MAX_THREADS)) delete threads[old];
}
