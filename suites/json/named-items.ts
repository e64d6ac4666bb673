/** Reads lists of resources whose shape is not documented. */
import { fieldsOf, isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { metadataIn } from './metadata-in.ts';

const MAX_WRAPPERS = 4;

/** The first list of objects: servers wrap lists, and their items, in various ways. Undefined if there is none. */
export function listIn(json: unknown, wrappers = MAX_WRAPPERS): Fields[] | undefined {
  if (Array.isArray(json)) return json.filter(isFields).map((item) => fieldsOf(item['node']) ?? item);
  if (!isFields(json) || wrappers === 0) return undefined;
  for (const value of Object.values(json)) {
    const list = listIn(value, wrappers - 1);
    if (list !== undefined) return list;
  }
  return undefined;
}

export function nameOf(json: unknown): string | undefined {
  const name = metadataIn(json)['name'] ?? fieldsOf(json)?.['name'];
  return typeof name === 'string' ? name : undefined;
}
