/** Joins specs of agents, so that one update shows whether the target accepts all of them. */
import { isFields } from '../../json/fields.ts';

/** Triggers and variables can be added to others; any other member occurs once. */
export function areDisjoint(one: object, other: object): boolean {
  const values = new Map<string, unknown>(Object.entries(one));
  return Object.entries(other).every(([name, value]) => {
    const present = values.get(name);
    if (present === undefined || name === 'triggers' || name === 'envs') return true;
    return isFields(present) && isFields(value) && areDisjoint(present, value);
  });
}

/** The members of both; lists one after the other. */
export function joinSpecs<Spec extends object>(one: Spec, other: Spec): Spec {
  const both = { ...one } as Record<string, unknown>;
  for (const [name, value] of Object.entries(other)) {
    const present = both[name];
    if (Array.isArray(present) && Array.isArray(value))
      both[name] = [...(present as unknown[]), ...(value as unknown[])];
    else both[name] = isFields(present) && isFields(value) ? joinSpecs(present, value) : value;
  }
  return both as Spec;
}
