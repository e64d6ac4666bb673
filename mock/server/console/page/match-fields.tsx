/** The fields of a match, which the forms for fault rules, scripts and expectations share. */
import type { RecordedMatch } from '../../../pipeline/rule-formats.ts';
import type { Values } from './form-values.ts';
import { OperationField } from './operation-field.tsx';

/** `list`: the id of the suggested operations, unique in the page. */
export function MatchFields({ list }: { list: string }) {
  return (
    <>
      <OperationField list={list} />
      <label>
        Method
        <input name="method" placeholder="Any" />
      </label>
      <label>
        Path, with * as a wildcard
        <input name="path" placeholder="/v0/agents/*" />
      </label>
      <label>
        Query (JSON)
        <input name="query" spellcheck={false} placeholder={'{"cursor": "*"}'} />
      </label>
    </>
  );
}

/** The mock validates the values. Throws if the query or the body is not JSON. */
export function matchOf({ operation, method, path, query, body }: Values): RecordedMatch {
  return {
    ...(operation !== undefined && { operation }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(query !== undefined && { query: parseJson('query', query) }),
    ...(body !== undefined && { body: parseJson('body', body) }),
  } as RecordedMatch;
}

export function describeMatch({ operation, method, path, query, headers, status, body }: RecordedMatch): string {
  const json = { query, headers, body };
  const written = Object.entries(json).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${JSON.stringify(value)}`],
  );
  return (
    [operation, method, path, status, ...written].filter((part) => part !== undefined).join(' ') || 'every request'
  );
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`The ${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
