/** Which inputs of each property detect deviations: measured by `npm run teeth -- --curve`, and kept in informative-inputs.json. */
import { readFileSync } from 'node:fs';
import type { InformativeInputs } from './choose-inputs.ts';

type ByProperty = Readonly<Record<string, InformativeInputs>>;

const measured = JSON.parse(readFileSync(new URL('informative-inputs.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, ByProperty>
>;

/** Undefined if the property was not measured. */
export const informativeInputs = (id: string, property: number): InformativeInputs | undefined =>
  measured[id]?.[String(property)];
