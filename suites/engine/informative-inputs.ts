/** Which inputs of each property detect deviations: measured by `npm run teeth -- --curve`, and kept in informative-inputs.json. */
import measured from './informative-inputs.json' with { type: 'json' };
import type { InformativeInputs } from './choose-inputs.ts';

/** By rule and number of the property, from 1. */
export type InformativeTable = Readonly<Record<string, Readonly<Record<string, InformativeInputs>>>>;

const table = measured as unknown as InformativeTable;

/** Undefined if the property was not measured. */
export const informativeInputs = (id: string, property: number): InformativeInputs | undefined =>
  table[id]?.[String(property)];
