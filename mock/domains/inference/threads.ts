/** The memory of agents: what was asked earlier in a thread. A thread belongs to one agent, and goes with it. */
import type { Inference } from '../../state/inference.ts';

const MOST_THREADS = 1000;
const MOST_TURNS = 50;
const MOST_TEXT = 500;

/** The oldest first; none without a thread. */
export function earlierIn({ threads }: Inference, uuid: string, thread: string | undefined): readonly string[] {
  return thread === undefined ? [] : (threads[`${uuid}/${thread}`] ?? []);
}

/** Keeps nothing without a thread (inference.agents.no-thread-no-memory). Of too many threads the least recent is forgotten. */
export function remember({ threads }: Inference, uuid: string, thread: string | undefined, inputs: string): void {
  if (thread === undefined) return;
  const key = `${uuid}/${thread}`;
  const turns = [...(threads[key] ?? []), inputs.slice(0, MOST_TEXT)].slice(-MOST_TURNS);
  // Taken out first: the order of the keys is that of their last use.
  delete threads[key];
  threads[key] = turns;
  const keys = Object.keys(threads);
  if (keys.length > MOST_THREADS) for (const old of keys.slice(0, -MOST_THREADS)) delete threads[old];
}
