/** For deviations that remember earlier requests: each mock starts with an empty memory. */
import type { Deviation } from './deviation.ts';

export function statefulDeviation(what: string, make: (what: string) => Deviation): Deviation {
  return { ...make(what), wrap: (app) => make(what).wrap(app) };
}
