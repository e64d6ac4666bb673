/** For faults that remember: what they remember is of one mock, and another begins anew. */
import type { Deviation } from './deviation.ts';

export function anew(what: string, make: (what: string) => Deviation): Deviation {
  return { what, wrap: (app) => make(what).wrap(app) };
}
