/** The errors that end a case: the target violates the rule, or the rule could not be tested. */
import type { MustId } from '../../spec/requirements/index.ts';
import type { Source } from '../../spec/requirements/source.ts';
import type { Counterexample } from '../../spec/verdicts.ts';
import type { Exchange } from './exchange.ts';
import type { Stream } from './stream.ts';

/** One exchange, several concurrent ones, or the start or end of a stream that stays open during the following exchanges. */
export type Sent = Exchange | readonly Exchange[] | { readonly opens: Stream } | { readonly closes: Stream };

/** Empty for a stream, whose exchange is not complete when it opens. */
export const exchangesOf = (sent: Sent): readonly Exchange[] =>
  'opens' in sent || 'closes' in sent ? [] : [sent].flat();

/** What was expected and what was received. */
export interface Difference {
  expected: string;
  actual: string;
}

/** What breaks some rules, and leaves others without what they need. */
export interface Cause {
  /** The rules whose sentences it breaks. */
  readonly rules: readonly MustId[];
  /** What the target lacks for all others, what was seen in its place, and the broken rules. */
  readonly missing: string;
}

/** A difference and the exchange in which it occurred. */
export interface Mismatch extends Difference {
  exchange: Exchange;
  /** What is at fault in place of `exchange`: it stayed open meanwhile, and should have sent something else. */
  stream?: Stream;
  /** The exchanges that led to it, in order. */
  before?: readonly Sent[];
  /** The exchanges that were sent concurrently. */
  concurrent?: readonly Exchange[];
  /** Which of the sources of the rule it breaks. Absent if any of them. */
  source?: Source;
  /** Breaks only these rules, whichever rule finds it. */
  cause?: Cause;
}

/** Says which source of its rule a check follows from. Mismatches that cite one already keep it. */
export const citing = (source: Source, mismatches: readonly Mismatch[]): Mismatch[] =>
  mismatches.map((each) => ({ source, ...each }));

/** Also of those that have a source already. */
export const citingInstead = (source: Source, mismatches: readonly Mismatch[]): Mismatch[] =>
  mismatches.map((each) => ({ ...each, source }));

/**
 * How the search for a smaller failing input ended. finished: no smaller one fails. stopped: smaller ones failed, and further
 * ones were not tested. none: no smaller one was found.
 */
export type ShrinkingEnd = NonNullable<Counterexample['shrinking']>;

/** The generated input that failed, and how to reproduce it. */
export interface FailingInput {
  input: unknown;
  seed: number;
  path: string;
  /** The property's position in the case, from 1. */
  property: number;
  shrinking: ShrinkingEnd;
}

/** The target violates the rule. */
export class Violation extends Error {
  readonly mismatches: readonly Mismatch[];
  readonly failingInput: FailingInput | undefined;
  constructor(mismatches: readonly Mismatch[], failingInput?: FailingInput) {
    // Several exchanges may differ in the same way.
    super([...new Set(mismatches.map(({ expected, actual }) => `${actual}, expected ${expected}`))].join('; '));
    this.mismatches = mismatches;
    this.failingInput = failingInput;
  }
}

/** The target lacks something that the rule needs; the message names it. */
export class NotTried extends Error {
  /** See `missing` in report.json. Undefined if only the message describes it. */
  readonly missing: string | undefined;
  constructor(message: string, missing?: string) {
    super(message);
    this.missing = missing;
  }
}

/**
 * Ends a case whose rule is only about operations that the target certainly does not have. No NotTried: it says nothing about
 * what other rules need, and no case can go on without it.
 */
export class OperationsMissing extends Error {
  /** The last one that the case has sent. Undefined if it sent none. */
  readonly exchange: Exchange | undefined;
  constructor(exchange?: Exchange) {
    // Replaced by the operation for which the rule waits.
    super('an operation that the target has');
    this.exchange = exchange;
  }
}

/** The time of the run was over before the first round of a rule had ended. */
export class OutOfTime extends NotTried {
  constructor() {
    super('more time: the run ended before the first round of this rule', 'time');
  }
}
