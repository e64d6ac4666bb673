/** Judges every exchange of a run by the rules that it concerns, whichever rule sent it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { isCursorRefusal } from './cursors.ts';
import { undeclaredIn, undeclaredViolation } from './obstacles.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import type { Mismatch } from '../target/violation.ts';

export interface RunJudging {
  /** `sender`: the rule whose case sent it. */
  see(exchange: Exchange, sender: string): void;
  /** What the first exchange that violates the rule breaks, except those that only break other rules. Undefined if none does. */
  violationOf(rule: string, isExcused: (found: readonly Mismatch[]) => boolean): readonly Mismatch[] | undefined;
  /** Why the rule does not pass, if only operations violate it that are not declared. */
  undeclaredViolationOf(rule: string): string | undefined;
  senderOf(exchange: Exchange): string | undefined;
}

/** A client walks again if a cursor is refused, so only the case knows whether that is a mistake. */
const followsCursor = ({ request }: Exchange): boolean => /\/metrics\?(.*&)?cursor=/.test(request.url);

/** Of each rule: one cause may refuse all of them. */
const MAX_VIOLATIONS = 100;

export function createRunJudging(target: Target): RunJudging {
  const book = openJudgeBook(target);
  const violations = new Map<MustId, (readonly Mismatch[])[]>();
  const undeclared = new Map<string, string>();
  const senders = new WeakMap<Exchange, string>();
  const undeclaredOf = (rule: MustId, exchange: Exchange) => undeclaredViolation(requirement(rule), exchange, target);
  return {
    see(exchange, sender) {
      senders.set(exchange, sender);
      if (followsCursor(exchange) && isCursorRefusal(exchange)) return;
      for (const [rule, mismatches] of book.judge(exchange)) {
        const reasons = mismatches.flatMap(({ exchange: each }) => undeclaredOf(rule, each) ?? []);
        const reason = undeclaredIn([undeclared.get(rule) ?? [], reasons].flat());
        if (reason !== undefined) undeclared.set(rule, reason);
        const found = mismatches.filter((each) => undeclaredOf(rule, each.exchange) === undefined);
        if (found.length > 0) note(violations, rule, found);
      }
    },
    violationOf: (rule, isExcused) => violations.get(rule as MustId)?.find((found) => !isExcused(found)),
    undeclaredViolationOf: (rule) => undeclared.get(rule),
    senderOf: (exchange) => senders.get(exchange),
  };
}

/** Successes may be long, and no success has a cause that is found later, so one of them is enough. */
function note(violations: Map<MustId, (readonly Mismatch[])[]>, rule: MustId, found: readonly Mismatch[]): void {
  const known = violations.get(rule) ?? [];
  violations.set(rule, known);
  if (known.length < MAX_VIOLATIONS && !known.some(isOfSuccess)) known.push(found);
}

const isOfSuccess = (found: readonly Mismatch[]): boolean =>
  found.some(({ exchange, cause }) => exchange.response.status < 400 && cause === undefined);
