/** How a case ends otherwise than well: the rule was broken, or it could not be tried. */
import type { Exchange } from './exchange.ts';
import type { Stream } from './stream.ts';

/** One exchange; several that were sent at once; or a stream that goes on beside what follows, and its end. */
export type Sent = Exchange | readonly Exchange[] | { readonly opens: Stream } | { readonly leaves: Stream };

/** None of a stream: its exchange is not over where it opens. */
export const exchangesOf = (sent: Sent): readonly Exchange[] =>
  'opens' in sent || 'leaves' in sent ? [] : [sent].flat();

/** One thing expected and what came instead. */
export interface Difference {
  expected: string;
  actual: string;
}

/** With the exchange that shows it. */
export interface Mismatch extends Difference {
  exchange: Exchange;
  /** What led to it, where it takes more than the one exchange, in order and without it. */
  before?: readonly Sent[];
  /** What was sent at once with it, without it. */
  beside?: readonly Exchange[];
}

/** Where in the generated inputs a violation was found; leads back to it. */
export interface FailingInput {
  input: unknown;
  seed: number;
  path: string;
  /** Which property of the case, counted from 1. */
  property: number;
}

/** The target broke the rule. */
export class Violation extends Error {
  readonly mismatches: readonly Mismatch[];
  readonly found: FailingInput | undefined;
  constructor(mismatches: readonly Mismatch[], found?: FailingInput) {
    super(mismatches.map(({ expected, actual }) => `${actual}, expected ${expected}`).join('; '));
    this.mismatches = mismatches;
    this.found = found;
  }
}

/** A need of the rule is missing; the message names it. */
export class NotTried extends Error {}
