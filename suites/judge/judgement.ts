/**
 * Rules that judge exchanges, whoever sent them. A judgement says nothing about most exchanges; what it says must be certain from
 * the exchange alone, or from it and those before it.
 */
import type { OperationId } from '../../spec/operations.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { NotTried, type Mismatch } from '../target/violation.ts';
import { Unknown, type Facts, type Seen } from './seen.ts';

/** Undefined if the rule says nothing about the exchange. Empty if the exchange keeps it. */
export type Judged = readonly Mismatch[] | undefined;

/** Undefined if nothing breaks the rule and nothing could have, as in the sum of a single group. */
export const ifConclusive = (mismatches: readonly Mismatch[], isConclusive: boolean): Judged =>
  mismatches.length > 0 || isConclusive ? mismatches : undefined;

export interface Judgement {
  readonly rule: MustId;
  /** The operations whose exchanges it judges. */
  readonly operations: 'every' | readonly OperationId[];
  /** Begins a recording: the returned function judges its exchanges in order, and may remember them. */
  readonly begin: (facts: Facts) => (seen: Seen) => Judged;
  /** What the rule has to be seen in before it counts as tried, by name. */
  readonly contexts: Contexts;
}

/** Whether an exchange that a rule judged is of a context, by the name that reports print: "with resolution weekly". */
export type Contexts = Readonly<Record<string, (seen: Seen) => boolean>>;

/** Every judgement registered in this process. A rule has at most one. */
export const judgements = new Map<MustId, Judgement>();

/** What makes a request one that a rule refuses, by rule. A request may break several. */
const flaws = new Map<MustId, Flaw>();

interface Flaw {
  readonly operations: readonly OperationId[];
  readonly isIn: IsFlawed;
  readonly status: Refusal['status'];
}

type IsFlawed = (seen: Seen, facts: Facts) => boolean;
type Operations = 'every' | OperationId | readonly OperationId[];

/** Once it has ended, nothing registers: vitest evaluates suite files again, after all cases were collected. */
export const registration = { hasEnded: false };

function register(judgement: Judgement): void {
  if (registration.hasEnded) return;
  if (judgements.has(judgement.rule)) throw new Error(`Requirement "${judgement.rule}" has two judgements.`);
  judgements.set(judgement.rule, judgement);
}

const listOf = (operations: OperationId | readonly OperationId[]): readonly OperationId[] =>
  typeof operations === 'string' ? [operations] : operations;

const operationsOf = (operations: Operations): Judgement['operations'] =>
  operations === 'every' ? operations : listOf(operations);

/** The rule can be seen in one exchange. It counts as tried only if it was seen in each of the contexts. */
export function judges(
  rule: MustId,
  operations: Operations,
  judge: (seen: Seen, facts: Facts) => Judged,
  contexts: Contexts = {},
): void {
  register({ rule, operations: operationsOf(operations), begin: (facts) => (seen) => judge(seen, facts), contexts });
}

/** The rule can be seen in an exchange and those before it. `begin` returns a function that judges the exchanges in order. */
export function judgesInOrder(
  rule: MustId,
  operations: Operations,
  begin: (facts: Facts) => (seen: Seen) => Judged,
): void {
  register({ rule, operations: operationsOf(operations), begin, contexts: {} });
}

export interface Refusal {
  /** Whether the request has the invalid part that the rule refuses. */
  readonly isFlawed: IsFlawed;
  /** What the refusal must be, apart from statuses that say nothing about the request. */
  readonly status: number | '4xx';
  /** Further mismatches of a refusal with that status. */
  readonly response?: (seen: Seen) => readonly Mismatch[];
  /** Exchanges about which the rule says nothing, such as those of callers who may be refused for another reason. */
  readonly unless?: IsFlawed;
}

/**
 * The rule refuses one invalid part of a request. It judges requests that no other rule refuses with another status: which is
 * checked first is not documented.
 */
export function refuses(rule: MustId, operations: OperationId | readonly OperationId[], refusal: Refusal): void {
  const { isFlawed, status, response = () => [], unless = () => false } = refusal;
  flaws.set(rule, { operations: listOf(operations), isIn: isFlawed, status });
  judges(rule, operations, (seen, facts) => {
    if (!isFlawedBy(rule, seen, facts) || unless(seen, facts)) return undefined;
    if (flawsIn(seen, facts).some((other) => flaws.get(other)?.status !== status)) return undefined;
    if (isAboutSomethingElse(seen.status, status)) return undefined;
    const isRefused = status === '4xx' ? seen.status >= 400 && seen.status <= 499 : seen.status === status;
    if (isRefused) return response(seen);
    return [{ expected: `status ${status}`, actual: `status ${seen.status}`, exchange: seen.exchange }];
  });
}

/** The rule, which is registered before, says more about exchanges than its first judgement. */
export const alsoJudges = (rule: MustId, judge: (seen: Seen, facts: Facts) => Judged): void =>
  alsoJudgesInOrder(rule, (facts) => (seen) => judge(seen, facts));

/** The same, if that needs the exchanges before. */
export function alsoJudgesInOrder(rule: MustId, begin: Judgement['begin']): void {
  if (registration.hasEnded) return;
  const known = judgements.get(rule);
  if (known === undefined) throw new Error(`The rule "${rule}" has no judgement yet.`);
  judgements.set(rule, { ...known, begin: allOf(known.begin, begin) });
}

/** Begins several judgements of one rule. A violation counts even if another judgement lacks what it needs. */
export const allOf =
  (...begins: readonly Judgement['begin'][]): Judgement['begin'] =>
  (facts) => {
    const parts = begins.map((begin) => begin(facts));
    return (seen) => {
      const lacking: Error[] = [];
      const judged = merged(parts.map((judge) => unlessLacking(() => judge(seen), lacking)));
      if (lacking[0] !== undefined && (judged ?? []).length === 0) throw lacking[0];
      return judged;
    };
  };

function unlessLacking(judge: () => Judged, lacking: Error[]): Judged {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Unknown || error instanceof NotTried)) throw error;
    lacking.push(error);
    return undefined;
  }
}

function merged(parts: readonly Judged[]): Judged {
  const judged = parts.filter((each) => each !== undefined);
  return judged.length === 0 ? undefined : judged.flat();
}

/** The rules that refuse the request. */
export const flawsIn = (seen: Seen, facts: Facts): MustId[] =>
  [...flaws.keys()].filter((rule) => isFlawedBy(rule, seen, facts));

/** By rule: many rules need the same flaws of an exchange. */
const knownFlaws = new WeakMap<Seen, Map<MustId, boolean>>();

function isFlawedBy(rule: MustId, seen: Seen, facts: Facts): boolean {
  const known = knownFlaws.get(seen) ?? new Map<MustId, boolean>();
  knownFlaws.set(seen, known);
  const { operations, isIn } = flaws.get(rule)!;
  const isFlawed = known.get(rule) ?? (operations.includes(seen.operation.id) && isIn(seen, facts));
  known.set(rule, isFlawed);
  return isFlawed;
}

/**
 * Too many requests, too early, or a server that cannot answer now: the response is about the moment, not the request. Gateways
 * have statuses of their own from 520.
 */
export const saysNothing = (status: number): boolean =>
  [408, 421, 425, 429, 502, 503, 504].includes(status) || status >= 520;

/** What a gateway or a cache may respond to any request: redirects, and refusals of its form, size, address or headers. */
export const isAboutForm = (status: number): boolean =>
  (status >= 300 && status <= 399) || [406, 413, 414, 431].includes(status);

/** No order of checks is documented: a gateway may respond first, and so may the check of the caller. */
const isAboutSomethingElse = (status: number, expected: Refusal['status']): boolean =>
  status !== expected && (saysNothing(status) || isAboutForm(status) || status === 401 || status === 403);

export interface Equality {
  /** Requests with the same key mean the same. Undefined: the rule says nothing about the exchange. */
  readonly keyOf: (seen: Seen, facts: Facts) => string | undefined;
  /** How the request says it. Two with the same key and the same form show nothing. */
  readonly formOf: (seen: Seen) => string;
  /** What differs in the second response but must not. Undefined: the two show nothing. */
  readonly compare: (first: Seen, second: Seen) => Judged;
}

/** Forms of one key, and characters of all responses, that a judgement remembers: the newest ones. */
const MAX_FORMS = 3;
const MAX_REMEMBERED = 2 ** 19;

/** Two requests mean the same, so their responses must agree. */
export function equals(rule: MustId, operations: Operations, { keyOf, formOf, compare }: Equality): void {
  judgesInOrder(rule, operations, (facts) => {
    const remembered = new Map<string, Map<string, Seen>>();
    let length = 0;
    return (seen) => {
      const key = keyOf(seen, facts);
      if (key === undefined) return undefined;
      const forms = remembered.get(key) ?? new Map<string, Seen>();
      const form = formOf(seen);
      const results = [...forms].filter(([each]) => each !== form).map(([, first]) => compare(first, seen));
      if (!forms.has(form) && forms.size < MAX_FORMS) {
        forms.set(form, seen);
        length += lengthOf(seen);
      }
      // The newest key is the last one.
      remembered.delete(key);
      remembered.set(key, forms);
      for (const [oldest, [...seenForms]] of remembered) {
        if (length <= MAX_REMEMBERED) break;
        remembered.delete(oldest);
        for (const [, forgotten] of seenForms) length -= lengthOf(forgotten);
      }
      return merged(results);
    };
  });
}

const lengthOf = ({ exchange }: Seen): number => exchange.response.text.length;
