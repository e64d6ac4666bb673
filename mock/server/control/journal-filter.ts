/** Selects journal entries: by a match, or by query parameters that are the members of one. */
import { jsonIncludes } from '../../http/json-includes.ts';
import { parseJson } from '../../http/parse-json.ts';
import { invalidField } from '../../http/problems.ts';
import type { JournalEntry } from '../../pipeline/journal.ts';
import { textOf } from '../../pipeline/journal-bodies.ts';
import { matchesHead, type RequestHead } from '../../pipeline/request-match.ts';
import { recordedMatch, type RecordedMatch } from '../../pipeline/rule-formats.ts';
import { bodyFormat } from './body-format.ts';
import { requireFewExpectedValues } from './expected-values.ts';
import { JSON_MEMBERS } from './filter-parameters.ts';
import { splitUrl } from './split-url.ts';

export const FILTER_NAMES: readonly string[] = Object.keys(recordedMatch.shape);

const { parse } = bodyFormat(recordedMatch);

/** Throws a problem for an invalid filter. Ignores other parameters. */
export function entryFilter(parameters: Readonly<Record<string, string>>): (entry: JournalEntry) => boolean {
  const members = Object.entries(parameters).filter(([name]) => FILTER_NAMES.includes(name));
  const match = parse(
    Object.fromEntries(members.map(([name, text]) => [name, JSON_MEMBERS.has(name) ? parseMember(name, text) : text])),
  );
  requireFewExpectedValues([match]);
  return (entry) => matchesEntry(entry, match);
}

function parseMember(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw invalidField(name, text, `JSON, such as ${name}={"cursor":"*"}`);
  }
}

export function matchesEntry(entry: JournalEntry, match: RecordedMatch): boolean {
  return matchesHead(headOf(entry), match) && (match.body === undefined || jsonIncludes(bodyOf(entry), match.body));
}

function headOf({ method, url, headers, operation, status }: JournalEntry): RequestHead {
  const { path, query } = splitUrl(url);
  return {
    method,
    path,
    headers,
    operation,
    status,
    get query() {
      return new URLSearchParams(query);
    },
  };
}

/** Undefined if it is not JSON, or longer than the journal stores. */
export function bodyOf(entry: JournalEntry): unknown {
  if (!bodies.has(entry)) bodies.set(entry, jsonIn(textOf(entry.bodies.request)));
  return bodies.get(entry);
}

/** Undefined if the text is not JSON. */
export function jsonIn(text = ''): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Each expectation reads the bodies of all entries. */
const bodies = new WeakMap<JournalEntry, unknown>();
