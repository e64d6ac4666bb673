/** Filters of journal entries by query parameters; all must match. */
import { isOperationId } from '../../../spec/operations.ts';
import { requireAtMost } from '../../http/limits.ts';
import { invalidField } from '../../http/problems.ts';
import { matchesWildcard } from '../../http/wildcard.ts';
import { expectedOperation } from '../../pipeline/expected-operation.ts';
import type { JournalEntry } from '../../pipeline/journal.ts';
import { splitUrl } from './split-url.ts';

type Test = (entry: JournalEntry) => boolean;

const filters: Readonly<Record<string, (value: string) => Test>> = {
  method: (value) => {
    if (!/^[a-z]{1,20}$/i.test(value)) throw invalidField('method', value, 'a method, such as GET');
    const wanted = value.toUpperCase();
    return ({ method }) => method === wanted;
  },
  path: (value) => {
    if (!value.startsWith('/'))
      throw invalidField('path', value, 'a path that starts with /, with * as a wildcard, such as /v0/agents/*');
    requireAtMost('ruleWildcard', value.length, 'path');
    return ({ url }) => matchesWildcard(splitUrl(url).path, value);
  },
  status: (value) => {
    if (!/^[1-5](?:\d\d|xx)$/.test(value))
      throw invalidField('status', value, 'a status or a class, such as 404 or 4xx');
    return ({ status }) =>
      status !== undefined && (value.endsWith('xx') ? String(status)[0] === value[0] : status === Number(value));
  },
  operation: (value) => {
    if (!isOperationId(value)) throw invalidField('operation', value, expectedOperation(value));
    return ({ operation }) => operation === value;
  },
};

export const FILTER_NAMES: readonly string[] = Object.keys(filters);

/** Throws invalidField for an invalid filter. Ignores other parameters. */
export function entryFilter(query: Readonly<Record<string, string | undefined>>): Test {
  const tests = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : (filters[name]?.(value) ?? []),
  );
  return (entry) => tests.every((test) => test(entry));
}
