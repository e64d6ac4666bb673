/** Parameters of an OAuth request: strings, each at most once; empty ones count as absent (RFC 6749 3.1 and 3.2). */
import { invalidRequest } from './oauth-problems.ts';

export type Parameters = ReadonlyMap<string, string>;

/** The first of repeated parameters counts; see refuseRepeated. */
export function fromQuery(query: URLSearchParams): Parameters {
  return withoutEmpty(new Map([...query].toReversed()));
}

/** Throws invalid_request if one of `names` (default: any) is repeated. */
export function refuseRepeated(query: URLSearchParams, names?: readonly string[]): void {
  const given = new Set<string>();
  for (const name of query.keys()) {
    if (names !== undefined && !names.includes(name)) continue;
    if (given.has(name)) throw invalidRequest(`${name} is given twice; allowed: once.`);
    given.add(name);
  }
}

/** From a form or JSON. Throws invalid_request for a value that is not a string. */
export function fromBody(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body is not an object; expected an object of strings.');
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') throw invalidRequest(`${name} must be a string.`);
    parameters.set(name, value);
  }
  return withoutEmpty(parameters);
}

function withoutEmpty(parameters: Map<string, string>): Parameters {
  for (const [name, value] of parameters) if (value === '') parameters.delete(name);
  return parameters;
}

/** Throws invalid_request if it is missing. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}
