/** Rotates values over the requests of a case: the same ones for the same seed. */
import type { Run } from '../../engine/run.ts';

const counts = new WeakMap<Run, number>();

/** The next index into a list of variants, at least 0. Each case begins elsewhere in the list. */
export function nextVariant(run: Run): number {
  const index = counts.get(run) ?? run.seed + run.rule.id.length;
  counts.set(run, index + 1);
  return index;
}
