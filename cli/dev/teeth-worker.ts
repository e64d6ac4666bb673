/** Worker process: runs rules against mocks with a deviation, one message per trial. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMock } from '../../mock/start-mock.ts';
import type { RunContext, SurveyedInput } from '../../suites/engine/run.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Exchange, FailedRequest } from '../../suites/target/client.ts';
import { isShared } from '../../suites/engine/response-cache.ts';
import type { InformativeInputs } from '../../suites/engine/choose-inputs.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { DEFAULT_RUNS, openRun } from '../../suites/engine/open-run.ts';
import { runCase, type Case } from '../../suites/engine/run-case.ts';
import { openJudgeBook } from '../../suites/judge/judge-book.ts';
import { seenOf } from '../../suites/judge/seen.ts';
import type { Verdict } from '../../spec/verdicts.ts';
import { openTestTarget } from '../e2e/testing/run-on-target.ts';
import type { Trial } from './teeth.ts';
import type { SurveyRow, Verdicts } from './teeth-verdict.ts';

const SEED = 1;
/** The mock deploys in one second. */
const PATIENCE_SECONDS = 3;
const cases = await collectCases();

process.on('message', (trial: Trial) => {
  void judge(trial).then((verdicts) => process.send?.(verdicts));
});
process.send?.('ready');

/** A rule without a case gets no verdict. */
async function judge({ deviation, rules, isQuick, isSurvey, isJudged = false, inputs }: Trial): Promise<Verdicts> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-teeth-'));
  await using mock = await startMock({ deviate: deviation === undefined ? [] : [deviation] });
  const target = await openTestTarget({ ...mock.target, allow: 'destroy' });
  const run = openRun({
    isProcessShared: true,
    target,
    seed: SEED,
    runs: DEFAULT_RUNS,
    patienceSeconds: PATIENCE_SECONDS,
    budget: Infinity,
    runId: 'teeth',
    ledgerFile: path.join(folder.path, 'ledger'),
    ...(isQuick && { isQuick }),
    // One input after the other, so that each request counts for its own input.
    ...(isSurvey && { concurrency: 1 }),
  });
  const surveyed: SurveyRow[] = [];
  const reads = newReads();
  let exampleCounts: Record<string, number> = {};
  let fixedReads: number[] = [];
  const context = {
    ...run.context,
    count: (_: string, property: number, exampleCount: number) => {
      exampleCounts[property] = exampleCount;
      fixedReads.push(...reads.take().keys);
    },
    ...(isSurvey && {
      record: (exchange: Exchange | FailedRequest, _: number, rule: Requirement) => reads.add(exchange, rule, true),
      reuse: (exchange: Exchange, rule: Requirement) => reads.add(exchange, rule, false),
      survey: ({ property, example = -1, isFailing, requests }: SurveyedInput) => {
        const { sentCount, keys } = reads.take();
        const row = [property, example, isFailing ? 1 : 0, requests - sentCount] as const;
        surveyed.push(deviation === undefined ? [...row, keys] : row);
      },
    }),
    ...(inputs && {
      informative: (_: string, property: number): InformativeInputs => [inputs[property] ?? [], [], 0],
    }),
  };
  const verdicts: Verdicts = {};
  try {
    for (const tried of rules.map((rule) => cases.get(rule as RequirementId)).filter((found) => found !== undefined)) {
      verdicts[tried.rule.id] = await verdictOf(tried);
    }
  } finally {
    await run.close();
  }
  return verdicts;

  async function verdictOf(tried: Case) {
    surveyed.length = 0;
    exampleCounts = {};
    fixedReads = [];
    if (isJudged) return judgedVerdict(tried, context);
    const { result } = await runCase(tried, context);
    fixedReads.push(...reads.take().keys);
    const { verdict, reason = '', durationMs: milliseconds, exchanges } = result;
    return {
      verdict,
      reason,
      milliseconds,
      exchanges,
      ...(isSurvey && { surveyed: [...surveyed] }),
      ...(deviation === undefined && { exampleCounts, fixedReads }),
    };
  }
}

/** The verdict of the rule's judgement on what its case sends. */
async function judgedVerdict(tried: Case, context: RunContext) {
  const book = openJudgeBook(context.target);
  const see = (exchange: Exchange | FailedRequest): void => {
    if (!('response' in exchange)) return;
    const seen = seenOf(exchange, context.target, { sentAt: Date.now() - exchange.durationMs });
    if (seen !== undefined) book.see(seen);
  };
  const { result } = await runCase(tried, { ...context, record: see, reuse: see });
  const { judged = 0, first } = book.findings().get(tried.rule.id as MustId) ?? {};
  const verdict: Verdict = first !== undefined ? 'failed' : judged > 0 ? 'passed' : 'not-tried';
  const reason = `${judged} exchanges judged; ${first?.[0]?.actual ?? 'none differs'}; the case: ${result.verdict}`;
  return { verdict, reason, milliseconds: result.durationMs, exchanges: result.exchanges };
}

/** Collects the reads of an input that other inputs share. */
function newReads() {
  const numbers = new Map<string, number>();
  let sentCount = 0;
  let keys = new Set<number>();
  return {
    add(exchange: Exchange | FailedRequest, { id }: Requirement, isSent: boolean): void {
      const { operation: read, request } = exchange;
      if (read === undefined || !isShared(id, read)) return;
      if (isSent) sentCount += 1;
      const key = JSON.stringify([request.url, request.headers]);
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      keys.add(number);
    },
    /** Those since the last call. */
    take() {
      const taken = { sentCount, keys: [...keys] };
      sentCount = 0;
      keys = new Set();
      return taken;
    },
  };
}
