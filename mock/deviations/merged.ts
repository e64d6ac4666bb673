/** Combines the deviations of several files. */
import type { Deviations } from './deviation.ts';

/** Merges in the given order. Throws on a duplicate id, which spreading would drop silently. */
export function merged(...tables: readonly Deviations[]): Deviations {
  const all = new Map<string, Deviations[keyof Deviations]>();
  for (const [id, fault] of tables.flatMap((table) => Object.entries(table))) {
    if (all.has(id)) throw new Error(`Deviation "${id}" is given twice; each needs a variant of its own.`);
    all.set(id, fault);
  }
  return Object.fromEntries(all);
}
