/** Omits the members of an agent's spec or metadata that a response contains as null: sent again, a target may refuse them (decision 016). */
import { isFields, isOmitted } from './fields.ts';
import type { Fields } from './fields.ts';

/** At any depth, except in tasks, which are arbitrary objects. Elements of lists stay. */
export const withoutNulls = <Members extends object>(fields: Members): Members =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !isOmitted(value))
      .map(([name, value]) => [name, name === 'tasks' ? value : valueWithoutNulls(value)]),
  ) as Members;

function valueWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueWithoutNulls);
  return isFields(value) ? withoutNulls<Fields>(value) : value;
}
