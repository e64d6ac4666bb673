/** Judges every exchange of a run by the rules that it concerns, whichever rule sent it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { isCursorRefusal } from './cursors.ts';
import { undeclaredResponse, type UndeclaredResponse } from './obstacles.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import type { Mismatch } from '../target/violation.ts';

type IsExcused = (found: readonly Mismatch[]) => boolean;

export interface RunJudging {
  /** `sender`: the rule whose case sent it. */
  see(exchange: Exchange, sender: string): void;
  /** What the first exchange that violates the rule breaks, except those that only break other rules. Undefined if none does. */
  violationOf(rule: string, isExcused: IsExcused): readonly Mismatch[] | undefined;
  /** What would violate it, but is of operations that are not declared. */
  undeclaredOf(rule: string, isExcused: IsExcused): readonly UndeclaredResponse[];
  senderOf(exchange: Exchange): string | undefined;
}

/** A client walks again if a cursor is refused, so only the case knows whether that is a mistake. */
const followsCursor = ({ request }: Exchange): boolean => /\/metrics\?(.*&)?cursor=/.test(request.url);

/** Of each rule: one cause may refuse all of them. */
const MAX_VIOLATIONS = 100;

export function createRunJudging(target: Target): RunJudging {
  const book = openJudgeBook(target);
  const violations = new Map<MustId, (readonly Mismatch[])[]>();
  const undeclared = new Map<MustId, (readonly Mismatch[])[]>();
  const responseOf = (rule: MustId, mismatch: Mismatch) => undeclaredResponse(requirement(rule), mismatch, target);
  const senders = new WeakMap<Exchange, string>();
  return {
    see(exchange, sender) {
      senders.set(exchange, sender);
      if (followsCursor(exchange) && isCursorRefusal(exchange)) return;
      for (const [rule, mismatches] of book.judge(exchange)) {
        const isDeclared = (each: Mismatch): boolean => responseOf(rule, each) === undefined;
        const found = mismatches.filter(isDeclared);
        if (found.length > 0) note(violations, rule, found);
        const others = mismatches.filter((each) => !isDeclared(each));
        if (others.length > 0) note(undeclared, rule, others);
      }
    },
    violationOf: (rule, isExcused) => violations.get(rule as MustId)?.find((found) => !isExcused(found)),
    undeclaredOf(rule, isExcused) {
      const found = (undeclared.get(rule as MustId) ?? []).filter((each) => !isExcused(each));
      return found.flat().flatMap((each) => responseOf(rule as MustId, each) ?? []);
    },
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
