/** POST /_mock/verify: whether requests were sent as often, in the order, and with the queries and bodies that a test expects. */
import { differingMember } from '../../http/json-includes.ts';
import { isObject } from '../../../spec/json-object.ts';
import { invalidField } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import type { JournalEntry } from '../../pipeline/journal.ts';
import { MAX_BODY_CHARACTERS, textOf } from '../../pipeline/journal-bodies.ts';
import { differingParameter } from '../../pipeline/request-match.ts';
import type { RecordedMatch } from '../../pipeline/rule-formats.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { requireFewExpectedValues } from './expected-values.ts';
import { bodyOf, jsonIn, matchesEntry } from './journal-filter.ts';
import { isSecretName, REDACTED, redactSecrets, redactUrl } from './redact.ts';
import { splitUrl } from './split-url.ts';
import { verification } from './verification-format.ts';
import type { Expectation, Verification } from './verification-format.ts';
import type { VerificationResult } from './views.ts';
import { waitForEntries } from './wait-for-entries.ts';

/** @internal */
export const postVerify: ControlCall<Verification> = {
  body: bodyFormat(verification),
  handle: async ({ served: { journal }, body: { requests, inOrder = false, wait = 0 } }) => {
    requireFewExpectedValues(requests);
    const failuresOf = (entries: readonly JournalEntry[]): string[] => {
      const found = requests.map((expected) => entries.filter((entry) => matchesEntry(entry, expected)));
      const counts = requests.flatMap((each, index) => countFailures(each, index, found[index]?.length ?? 0, entries));
      return inOrder && counts.length === 0 ? orderFailures(found) : counts;
    };
    const entries = await waitForEntries(journal, (some) => failuresOf(some).length === 0, wait);
    const failures = failuresOf(entries);
    const received = failures.length === 0 ? [] : entries.slice(-MAX_LISTED).map(describeEntry);
    return ok({ verified: failures.length === 0, failures, received } satisfies VerificationResult);
  },
};

function countFailures(
  expected: Expectation,
  index: number,
  received: number,
  entries: readonly JournalEntry[],
): string[] {
  const { atLeast, atMost } = rangeOf(expected, index);
  if (received >= atLeast && received <= atMost) return [];
  const near = received < atLeast ? describeNearest(expected, entries) : '';
  return [`${nameOf(expected, index)}: ${received} received; expected ${describeRange(atLeast, atMost)}.${near}`];
}

/** Such as "requests[0] (getAccountMetrics, query)". */
function nameOf({ operation, method, path, status, ...others }: Expectation, index: number): string {
  const compared = (['query', 'headers', 'body'] as const).filter((member) => others[member] !== undefined);
  const what = [operation, method, path, status, ...compared].filter((each) => each !== undefined).join(', ');
  return what === '' ? `requests[${index}]` : `requests[${index}] (${what})`;
}

/** How the newest request that differs only in its body differs, or else in its query. Empty if there is none. */
function describeNearest(expected: Expectation, entries: readonly JournalEntry[]): string {
  const { query, body, ...others } = expected;
  const newest = (match: RecordedMatch): JournalEntry | undefined =>
    entries.findLast((each) => matchesEntry(each, match) && !matchesEntry(each, expected));
  const similar = body === undefined ? undefined : newest({ ...others, ...(query && { query }) });
  if (similar !== undefined) return describeOtherBody(similar, body);
  const nearestEntry = query === undefined ? undefined : newest(others);
  return nearestEntry === undefined ? '' : describeOtherQuery(nearestEntry, query);
}

function describeOtherQuery({ url }: JournalEntry, expected: Expectation['query'] = {}): string {
  const query = new URLSearchParams(splitUrl(url).query);
  const name = differingParameter(query, expected) ?? '';
  const [actual, ...more] = query.getAll(name).map((value) => (isSecretName(name) ? REDACTED : value));
  const wanted = expected[name] ?? undefined; // null: absent
  return ` In the newest one with another query, ${name} is ${describeValue(more.length === 0 ? actual : [actual, ...more])}; expected ${describeValue(wanted)}.`;
}

function describeOtherBody(entry: JournalEntry, expected: unknown): string {
  if (bodyOf(entry) === undefined)
    return ` The newest one has no JSON body of at most ${MAX_BODY_CHARACTERS} characters.`;
  const member = differingMember(bodyOf(entry), expected) ?? [];
  const actual = valueAt(jsonIn(redactSecrets(textOf(entry.bodies.request) ?? '')), member);
  const name = member.length === 0 ? 'the body' : member.join('.');
  return ` In the newest one with another body, ${name} is ${describeValue(actual)}; expected ${describeValue(valueAt(expected, member))}.`;
}

const valueAt = (json: unknown, [name, ...rest]: readonly string[]): unknown =>
  name === undefined ? json : isObject(json) && Object.hasOwn(json, name) ? valueAt(json[name], rest) : undefined;

const MAX_VALUE_CHARACTERS = 200;

function describeValue(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}

/** How many of the newest requests a failed verification lists. */
const MAX_LISTED = 10;

/** Such as "GET /v0/agents?limit=2 503". */
const describeEntry = ({ method, url, status }: JournalEntry): string =>
  `${method} ${redactUrl(url)} ${status ?? 'without a response'}`;

/** Inclusive. Throws invalidField if the bounds contradict each other. */
function rangeOf({ times, atLeast, atMost }: Expectation, index: number): { atLeast: number; atMost: number } {
  const member = `requests[${index}]`;
  if (times !== undefined) {
    if ((atLeast ?? atMost) === undefined) return { atLeast: times, atMost: times };
    throw invalidField(`${member}.times`, times, 'times without atLeast and atMost');
  }
  const range = { atLeast: atLeast ?? (atMost === undefined ? 1 : 0), atMost: atMost ?? Infinity };
  if (range.atLeast <= range.atMost) return range;
  throw invalidField(`${member}.atLeast`, range.atLeast, `at most ${range.atMost}, as atMost is`);
}

function describeRange(atLeast: number, atMost: number): string {
  if (atLeast === atMost) return `${atLeast}`;
  if (atMost === Infinity) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}

/** Each expectation is met by a request after the one that meets the expectation before it. */
function orderFailures(found: readonly (readonly JournalEntry[])[]): string[] {
  let last = 0;
  for (const [index, entries] of found.entries()) {
    if (entries.length === 0) continue;
    const next = entries.find(({ number }) => number > last);
    if (next === undefined) return [`requests[${index}]: none was received after requests[${index - 1}].`];
    last = next.number;
  }
  return [];
}
