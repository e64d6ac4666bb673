/** Which inputs of each property detect deviations: measured by `npm run teeth -- --curve`, and kept in informative-inputs.json. */
import measured from './informative-inputs.json' with { type: 'json' };
import type { InformativeInputs } from './choose-inputs.ts';

type ByProperty = Readonly<Record<string, InformativeInputs>>;

const byRule = measured as unknown as Readonly<Record<string, ByProperty>>;

/** Undefined if the property was not measured. */
export const informativeInputs = (id: string, property: number): InformativeInputs | undefined =>
  byRule[id]?.[String(property)];
