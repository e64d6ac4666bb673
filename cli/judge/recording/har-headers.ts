/** Header lines of a HAR as they were sent. */
import type { HarEntry } from './har-format.ts';
import type { RecordedHeaders } from './recorded-exchange.ts';

/**
 * Without the pseudo-headers of HTTP/2, names without a value, and exact repetitions, which are usually the writer's. Values that a
 * writer joined with line ends become lines of their own.
 */
export function readHeaders(headers: HarEntry['request']['headers']): RecordedHeaders {
  const lines = headers.flatMap(({ name, value }) =>
    name.startsWith(':') || value === undefined
      ? []
      : value.split(/\r?\n/).map((each): readonly [string, string] => [name, each]),
  );
  const byText = new Map(lines.map((line) => [`${line[0].toLowerCase()}:${line[1]}`, line]));
  return [...byText.values()];
}

/** The first value. `name` is in lower case. */
export const headerIn = (headers: RecordedHeaders, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** Undefined if there is none or it is no number. */
export function contentLengthIn(headers: RecordedHeaders): number | undefined {
  const value = headerIn(headers, 'content-length') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}
