/** Compares the responses of two targets to one step, apart from what may differ. */
import { isDeepStrictEqual } from 'node:util';
import { documentedFields } from './documented-fields.ts';
import { sameRules, type SameRule, type SideFacts } from './same-rules.ts';
import { valuesAt } from '../../spec/elements/values-at.ts';
import type { OperationId } from '../../spec/operations.ts';
import { isFields } from '../json/fields.ts';
import { isEventStream, messagesIn } from '../kit/mcp/messages.ts';
import type { HttpResponse } from '../target/exchange.ts';

/** One value that differs. */
export interface Difference {
  /** `status`, `header content-type`, or a place in the body such as `body.spec.triggers[].id`. */
  readonly at: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** Two values that a rule made the same. */
export interface Alike extends Difference {
  readonly rule: string;
}

export interface Compared {
  readonly differences: readonly Difference[];
  readonly alike: readonly Alike[];
}

/** A response, and what is known of its target. */
export interface ComparedSide extends SideFacts {
  readonly response: HttpResponse;
  /** Replaces the target's own names and addresses with words, such as the workspace with `<workspace>`. */
  readonly neutral: (text: string) => string;
}

export const STATUS = 'status';

const comparedHeaders = ['content-type', 'www-authenticate', 'mcp-session-id', 'location'] as const;

/** `differences` has only the status if that differs: the rest of the responses then differs anyway. */
export function compareResponses(request: ComparedRequest, a: ComparedSide, b: ComparedSide): Compared {
  const found: { differences: Difference[]; alike: Alike[] } = { differences: [], alike: [] };
  const context: Walk = { ...request, a, b, ...found };
  if (a.response.status !== b.response.status)
    found.differences.push({ at: STATUS, a: a.response.status, b: b.response.status });
  else {
    for (const name of comparedHeaders)
      compareAt(context, `header ${name}`, a.response.headers[name], b.response.headers[name]);
    // In another media type, every field differs.
    const hasOneType = !found.differences.some(({ at }) => at === 'header content-type');
    if (hasOneType) compareAt(context, 'body', bodyOf(a.response), bodyOf(b.response));
  }
  return found;
}

/** JSON, the last message of a stream of events, or the text. */
function bodyOf(response: HttpResponse): unknown {
  if (isEventStream(response)) return messagesIn(response, response.text).at(-1);
  return response.json ?? response.text;
}

/** What both requests have in common. */
export interface ComparedRequest {
  readonly operation: OperationId;
  /** The body that was sent, as JSON. */
  readonly sent: unknown;
  /** Whether both targets had the same usage before. */
  readonly hasSameUsage: boolean;
}

interface Walk extends ComparedRequest {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly differences: Difference[];
  readonly alike: Alike[];
}

function compareAt(walk: Walk, at: string, a: unknown, b: unknown, tried: readonly SameRule[] = []): void {
  if (isDeepStrictEqual(a, b)) return;
  const rule = tried.length > 10 ? undefined : ruleFor(walk, at, a, b, tried);
  if (rule?.part !== undefined) {
    const [partA, partB] = [rule.part(a, walk.a), rule.part(b, walk.b)];
    if (isDeepStrictEqual(partA, partB)) return void walk.alike.push({ rule: rule.id, at, a, b });
    const before = walk.differences.length;
    compareAt(walk, at, partA, partB, [...tried, rule]);
    if (walk.differences.length === before) walk.alike.push({ rule: rule.id, at, a, b });
    return;
  }
  if (rule !== undefined) return void walk.alike.push({ rule: rule.id, at, a, b });
  if (isFields(a) && isFields(b)) return compareMembers(walk, at, a, b);
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return compareLists(walk, at, a, b);
  if (typeof a === 'string' && typeof b === 'string' && walk.a.neutral(a) === walk.b.neutral(b))
    return void walk.alike.push({ rule: OWN_WORDS.id, at, a, b });
  walk.differences.push({ at, a, b });
}

function ruleFor(
  { operation, a: sideA, b: sideB, hasSameUsage }: Walk,
  at: string,
  a: unknown,
  b: unknown,
  tried: readonly SameRule[],
): SameRule | undefined {
  const place = `${operation} ${sideA.response.status} ${at}`;
  return sameRules.find((each) => {
    if (tried.includes(each) || !each.at.test(place)) return false;
    if ((hasSameUsage && each.isOfUsage === true) || (sideA.comparesVersions === true && each.isOfData === true))
      return false;
    if (each.same !== undefined) return each.same(a, b);
    return each.part?.(a, sideA) !== undefined && each.part(b, sideB) !== undefined;
  });
}

/** Fields that are not documented may be there or not; both are compared if both are there. */
function compareMembers(
  walk: Walk,
  at: string,
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
) {
  const known = documentedFields(walk.operation, at, walk.a.response.status);
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const place = `${at}.${name}`;
    const isInBoth = Object.hasOwn(a, name) && Object.hasOwn(b, name);
    // What one target adds and fills in is part of a version.
    const rule =
      isInBoth || walk.a.comparesVersions === true
        ? undefined
        : known?.has(name) === false
          ? ADDITIONAL
          : isFilledIn(walk, place)
            ? FILLED_IN
            : undefined;
    if (rule === undefined) compareAt(walk, place, a[name], b[name]);
    else walk.alike.push({ rule: rule.id, at: place, a: a[name], b: b[name] });
  }
}

/** Parts of a spec and metadata that the client did not send. */
const isFilledIn = ({ sent, a: { response } }: Walk, place: string): boolean =>
  response.status < 300 &&
  /^body\.(?:spec\.|metadata\.(?:displayName|labels)$)/.test(place) &&
  valuesAt(sent, place.split('.').slice(1)).length === 0;

/** In the order of the lists, or in another one if the document promises none and no difference is left then. */
function compareLists(walk: Walk, at: string, a: readonly unknown[], b: readonly unknown[]): void {
  const inOrder = differencesOf(walk, at, a, b);
  const inAnyOrder =
    at.endsWith('timeseries') || inOrder.differences.length === 0
      ? inOrder
      : differencesOf(walk, at, sorted(walk.a, a), sorted(walk.b, b));
  const isOrder = inAnyOrder !== inOrder && inAnyOrder.differences.length === 0;
  const { differences, alike } = isOrder ? inAnyOrder : inOrder;
  walk.differences.push(...differences);
  walk.alike.push(...alike, ...(isOrder ? [{ rule: ORDER.id, at, a, b }] : []));
}

function differencesOf(walk: Walk, at: string, a: readonly unknown[], b: readonly unknown[]) {
  const own: Walk = { ...walk, differences: [], alike: [] };
  for (const [index, each] of a.entries()) compareAt(own, `${at}[]`, each, b[index]);
  return own;
}

const sorted = ({ neutral }: ComparedSide, list: readonly unknown[]): unknown[] =>
  list
    .map((each) => [neutral(JSON.stringify(keyOf(each) ?? each)), each] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);

/** What lists are sorted by: texts with times would be in another order on each target. */
const keyOf = (item: unknown): unknown =>
  isFields(item) ? (item['name'] ?? item['id'] ?? item['path'] ?? item['type']) : undefined;

export const OWN_WORDS = {
  id: 'own words',
  reason: 'Names of the run, and the workspace, account, resources and addresses of the target file, differ by target.',
};
export const ADDITIONAL = { id: 'additional field', reason: 'A response may have fields that are not documented.' };
export const FILLED_IN = {
  id: 'not sent',
  reason: 'A server may fill in and return what the client did not send, and may omit it.',
};
export const ORDER = { id: 'order', reason: 'The document promises no order of this list.' };

/** Every rule that can make two values the same, by id. */
export const reasonOf = (id: string): string =>
  [...sameRules, OWN_WORDS, ADDITIONAL, FILLED_IN, ORDER].find((each) => each.id === id)?.reason ?? '';
