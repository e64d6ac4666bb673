/** Replaces the references of a document by their targets, as rules of users expect. */
import type { Place } from '../../spec/ruleset/document/place.mjs';
import { follow, isMap } from '../../spec/ruleset/document/place.mjs';

/**
 * What occurs several times is shared, so the result needs little memory. A reference within what it leads to stays, as does one
 * that leads nowhere. Siblings of a reference are dropped, as Spectral does.
 */
export function dereference(root: Place): unknown {
  const done = new Map<unknown, unknown>();
  const active = new Set<unknown>();

  function resolved(place: Place): unknown {
    const end = follow(place);
    const { value } = end;
    if (value === undefined || active.has(value)) return place.value;
    if (typeof value !== 'object' || value === null) return value;
    if (done.has(value)) return done.get(value);
    active.add(value);
    const within = (inner: unknown): unknown => resolved({ ...end, value: inner });
    const result = isMap(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]))
      : (value as unknown[]).map(within);
    active.delete(value);
    done.set(value, result);
    return result;
  }

  return resolved(root);
}
