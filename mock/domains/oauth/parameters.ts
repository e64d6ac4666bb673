/** Parameters of an OAuth request: text, each at most once, and an empty one is none (RFC 6749 3.1 and 3.2). */
import { invalidRequest } from './oauth-problems.ts';

export type Parameters = ReadonlyMap<string, string>;

/** Of one that is given twice the first counts; refuseRepeated says where that must not be. */
export function fromQuery(query: URLSearchParams): Parameters {
  return given(new Map([...query].toReversed()));
}

/** Throws invalid_request where one of these, or with no names any, is given twice. */
export function refuseRepeated(query: URLSearchParams, names: Iterable<string> = query.keys()): void {
  for (const name of names)
    if (query.getAll(name).length > 1) throw invalidRequest(`${name} is given twice; allowed: once.`);
}

/** Of a form or of JSON. Throws invalid_request for a value that is no text. */
export function fromBody(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body is no object; allowed: an object of texts.');
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') throw invalidRequest(`${name} is no text; allowed: a text.`);
    parameters.set(name, value);
  }
  return given(parameters);
}

function given(parameters: Map<string, string>): Parameters {
  for (const [name, value] of parameters) if (value === '') parameters.delete(name);
  return parameters;
}

/** Throws invalid_request where it is missing. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}
