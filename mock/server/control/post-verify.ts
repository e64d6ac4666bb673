/** POST /_mock/verify: whether requests were sent as often, in the order and with the bodies that a test expects. */
import { differingMember, jsonIncludes } from '../../http/json-includes.ts';
import { isObject } from '../../http/json-object.ts';
import { invalidField } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import type { JournalEntry } from '../../pipeline/journal.ts';
import { MAX_BODY_CHARACTERS, textOf } from '../../pipeline/journal-bodies.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { requireFewExpectedValues } from './expected-values.ts';
import { entryFilter } from './journal-filter.ts';
import { redactSecrets } from './redact.ts';
import { verification } from './verification-format.ts';
import type { Expectation, Verification } from './verification-format.ts';
import type { VerificationResult } from './views.ts';
import { waitForEntries } from './wait-for-entries.ts';

/** @internal */
export const postVerify: ControlCall<Verification> = {
  body: bodyFormat(verification),
  handle: async ({ served: { journal }, body: { requests, inOrder = false, wait = 0 } }) => {
    requireFewExpectedValues(requests.map(({ body }) => body));
    const matchers = requests.map(matcherOf);
    const failuresOf = (entries: readonly JournalEntry[]): string[] => {
      const found = matchers.map((matches) => entries.filter(matches));
      const counts = requests.flatMap((each, index) => countFailures(each, index, found[index]?.length ?? 0, entries));
      return inOrder && counts.length === 0 ? orderFailures(found) : counts;
    };
    const entries = await waitForEntries(journal, (some) => failuresOf(some).length === 0, wait);
    const failures = failuresOf(entries);
    const received = failures.length === 0 ? [] : entries.slice(-MAX_LISTED).map(describeEntry);
    return ok({ verified: failures.length === 0, failures, received } satisfies VerificationResult);
  },
};

/** Throws invalidField for an invalid filter. */
function matcherOf({ method, path, status, operation, body }: Expectation): (entry: JournalEntry) => boolean {
  const isWanted = entryFilter({ method, path, operation, ...(status !== undefined && { status: String(status) }) });
  return (entry) => isWanted(entry) && (body === undefined || jsonIncludes(jsonOf(entry), body));
}

/** Undefined if it is not JSON, or longer than the journal stores. */
function jsonOf(entry: JournalEntry): unknown {
  if (!parsed.has(entry)) parsed.set(entry, parse(textOf(entry.bodies.request)));
  return parsed.get(entry);
}

/** Each expectation reads the bodies of all entries. */
const parsed = new WeakMap<JournalEntry, unknown>();

function parse(text = ''): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function countFailures(
  expected: Expectation,
  index: number,
  received: number,
  entries: readonly JournalEntry[],
): string[] {
  const { atLeast, atMost } = rangeOf(expected, index);
  if (received >= atLeast && received <= atMost) return [];
  const { method, path, operation, status, body } = expected;
  const what = [operation, method, path, status, body === undefined ? undefined : 'body'].filter(Boolean).join(', ');
  const name = what === '' ? `requests[${index}]` : `requests[${index}] (${what})`;
  const bodies = received < atLeast ? describeOtherBody(expected, entries) : '';
  return [`${name}: ${received} received; expected ${describeRange(atLeast, atMost)}.${bodies}`];
}

/** How the newest request that differs only in its body differs. Empty if there is none. */
function describeOtherBody({ body, ...others }: Expectation, entries: readonly JournalEntry[]): string {
  if (body === undefined) return '';
  const [isSimilar, isExpected] = [matcherOf(others), matcherOf({ ...others, body })];
  const entry = entries.findLast((each) => isSimilar(each) && !isExpected(each));
  if (entry === undefined) return '';
  if (jsonOf(entry) === undefined)
    return ` The newest one has no JSON body of at most ${MAX_BODY_CHARACTERS} characters.`;
  const member = differingMember(jsonOf(entry), body) ?? [];
  const actual = valueAt(parse(redactSecrets(textOf(entry.bodies.request) ?? '')), member);
  const name = member.length === 0 ? 'the body' : member.join('.');
  return ` In the newest one with another body, ${name} is ${describeValue(actual)}; expected ${describeValue(valueAt(body, member))}.`;
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

/** Such as "POST /v0/agents 503". */
const describeEntry = ({ method, url, status }: JournalEntry): string =>
  `${method} ${url.split('?', 1)[0]} ${status ?? 'without a response'}`;

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
