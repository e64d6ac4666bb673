/** Judges every exchange of a run by the rules that it concerns, whichever rule sent it. */
import type { MustId } from '../../spec/requirements/index.ts';
import { isCursorRefusal } from './cursors.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import type { Facts } from '../judge/seen.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../target/violation.ts';

export interface RunJudging {
  see(exchange: Exchange): void;
  /** What the first exchange that violates the rule breaks. Undefined if none does. */
  violationOf(rule: string): readonly Mismatch[] | undefined;
}

/** A client walks again if a cursor is refused, so only the case knows whether that is a mistake. */
const followsCursor = ({ request }: Exchange): boolean => /\/metrics\?(.*&)?cursor=/.test(request.url);

export function createRunJudging(facts: Facts): RunJudging {
  const book = openJudgeBook(facts);
  return {
    see(exchange) {
      if (!followsCursor(exchange) || !isCursorRefusal(exchange)) book.judge(exchange);
    },
    violationOf: (rule) => book.findings().get(rule as MustId)?.first,
  };
}
