/** Traffic that many rules judge: each request is sent once per run, and every rule sees its responses. */
import type { MustId } from '../../spec/requirements/index.ts';
import type { Smaller } from '../generators/shrinkable.ts';
import { statusClass } from '../expect/status.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import type { Exchange } from '../target/exchange.ts';
import { NotTried, type Mismatch } from '../target/violation.ts';
import { causeOf, isOf } from './other-causes.ts';
import type { Run } from './run.ts';

export interface Traffic<Request> {
  /** The same for every case of a run, the most important ones first. Throws NotTried if the target lacks what all need. */
  readonly requests: (run: Run) => Promise<readonly Request[]>;
  /** How many of them `--quick` sends. */
  readonly quickCount: number;
  /** Sends a request and what depends on it, such as the next page. Each request is sent once per run. */
  readonly send: (run: Run, request: Request) => Promise<readonly Exchange[]>;
  /** Whether one request is sent after the other. Defaults to false. */
  readonly isSequential?: boolean;
  /** Requests with one part less. */
  readonly smaller: Smaller<Request>;
}

/**
 * A case that sends the traffic and lets its rule judge each response. Not tried if the rule says nothing about any of them:
 * `needed` is what the target lacks then.
 */
export function judgedOn<Request>(traffic: Traffic<Request>, needed: string): (run: Run) => Promise<void> {
  return async (run) => {
    const rule = run.rule.id as MustId;
    const book = openJudgeBook(run.target, rule);
    const unjudged: Unjudged = { missing: undefined, success: undefined };
    const countJudged = (): number => book.findings().get(rule)?.judged ?? 0;
    const judge = async (exchanges: readonly Exchange[]): Promise<readonly Mismatch[]> => {
      const judgedBefore = countJudged();
      const mismatches = exchanges.flatMap((exchange) => book.judge(exchange).get(rule) ?? []);
      if (mismatches.length > 0) return mismatches;
      const refusals = await refusalsOf(run, exchanges);
      if (refusals.own.length > 0 || countJudged() > judgedBefore) return refusals.own;
      unjudged.success = exchanges.findLast(isSuccess) ?? unjudged.success;
      unjudged.missing ??= refusals.missing;
      return refusals.missing === undefined ? [] : run.skipInput(refusals.missing);
    };
    await run.forEach(await traffic.requests(run), async (request) => judge(await traffic.send(run, request)), {
      all: true,
      firstCount: traffic.quickCount,
      smaller: traffic.smaller,
      ...(traffic.isSequential === true && { sequential: true }),
    });
    if (countJudged() > 0) return;
    throw new NotTried(unjudged.missing ?? (await missingIn(run, unjudged.success)) ?? needed);
  };
}

/** Responses about which the rule says nothing. */
interface Unjudged {
  /** Why one of them is no success. */
  missing: string | undefined;
  /** The newest success: if the rule judges none, this may not be readable. */
  success: Exchange | undefined;
}

const isSuccess = ({ response: { status } }: Exchange): boolean => status < 400;

interface Refusals {
  /** Refusals of valid requests that break the rule of the case. */
  readonly own: readonly Mismatch[];
  /** Why another one shows nothing. */
  readonly missing: string | undefined;
}

async function refusalsOf(run: Run, exchanges: readonly Exchange[]): Promise<Refusals> {
  for (const exchange of exchanges) {
    const cause = isSuccess(exchange) ? undefined : await causeOf(run, exchange);
    if (cause === undefined) continue;
    return isOf(cause, run.rule)
      ? { own: statusClass(exchange, '2xx'), missing: undefined }
      : { own: [], missing: cause.missing };
  }
  return { own: [], missing: undefined };
}

const missingIn = async (run: Run, exchange: Exchange | undefined): Promise<string | undefined> =>
  exchange && (await causeOf(run, exchange))?.missing;
