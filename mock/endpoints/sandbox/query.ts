/** Reads query parameters of the sandbox API. */
import { invalidField } from '../../http/problems.ts';

/** False if the parameter is absent. Throws unless it is `true` or `false`. */
export function switchIn(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw invalidField(name, value, 'true or false');
  return value === 'true';
}
