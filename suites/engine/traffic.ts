/** Traffic that many rules judge: each request is sent once per run, and every rule sees its responses. */
import type { MustId } from '../../spec/requirements/index.ts';
import type { Smaller } from '../generators/shrinkable.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import type { Exchange } from '../target/exchange.ts';
import { NotTried, type Mismatch } from '../target/violation.ts';
import { causeOf } from './other-causes.ts';
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
    const unjudged: Unjudged = {};
    const countJudged = (): number => book.findings().get(rule)?.judged ?? 0;
    const judge = async (exchanges: readonly Exchange[]): Promise<readonly Mismatch[]> => {
      const judgedBefore = countJudged();
      const mismatches = exchanges.flatMap((exchange) => book.judge(exchange).get(rule) ?? []);
      return countJudged() > judgedBefore ? mismatches : skipUnexpected(run, exchanges, unjudged);
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
  missing?: string;
  /** The newest success: if the rule judges none, this may not be readable. */
  success?: Exchange;
}

async function skipUnexpected(run: Run, exchanges: readonly Exchange[], unjudged: Unjudged): Promise<Mismatch[]> {
  for (const exchange of exchanges) {
    if (exchange.response.status < 400) {
      unjudged.success = exchange;
      continue;
    }
    const missing = await missingIn(run, exchange);
    if (missing !== undefined) unjudged.missing ??= missing;
    if (missing !== undefined) return run.skipInput(missing);
  }
  return [];
}

const missingIn = async (run: Run, exchange: Exchange | undefined): Promise<string | undefined> =>
  exchange && (await causeOf(run, exchange))?.missing;
