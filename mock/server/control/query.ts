/** Query parameters of `/_mock` calls. */
import { invalidField } from '../../http/problems.ts';
import type { AnyControlCall } from './control-call.ts';

/** By name. Throws invalidField for one that is repeated, or that the call does not have. */
export function parseQuery(
  given: Iterable<readonly [name: string, value: string]>,
  { query: allowed = [] }: AnyControlCall,
): Readonly<Record<string, string>> {
  if (allowed === 'ignored') return {};
  const values = new Map<string, string>();
  for (const [name, value] of given) {
    if (!allowed.includes(name)) throw invalidField('a query parameter', name, allowed.join(', ') || 'none');
    if (values.has(name)) throw invalidField(name, [values.get(name), value], 'one value');
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
