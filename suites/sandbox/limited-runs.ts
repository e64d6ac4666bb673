/** The number of inputs of a rule whose inputs send several writes each. */
import type { Run } from '../engine/conforms.ts';

/** Limits the inputs, since each sends several writes. */
export const limitedRuns = ({ runs }: Run, max: number): number => Math.min(runs, max);
