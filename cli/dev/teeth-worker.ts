/** Worker process: runs rules against mocks with a deviation, one message per trial. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMock } from '../../mock/start-mock.ts';
import type { RunContext } from '../../suites/engine/run.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { Exchange, FailedRequest } from '../../suites/target/client.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { DEFAULT_RUNS, openRun } from '../../suites/engine/open-run.ts';
import { runCase, type Case } from '../../suites/engine/run-case.ts';
import { openJudgeBook } from '../../suites/judge/judge-book.ts';
import { routeOfMissing } from '../../spec/missing-operation.ts';
import type { Verdict } from '../../spec/verdicts.ts';
import { openTestTarget } from '../e2e/testing/run-on-target.ts';
import type { Trial } from './teeth.ts';
import type { Verdicts } from './teeth-verdict.ts';

const SEED = 1;
/** The mock deploys in one second. */
const PATIENCE_SECONDS = 3;
const cases = await collectCases();

process.on('message', (trial: Trial) => {
  void judge(trial).then((verdicts) => process.send?.(verdicts));
});
process.send?.('ready');

/** A rule without a case gets no verdict. */
async function judge({ deviation, rules, isQuick, isJudged = false }: Trial): Promise<Verdicts> {
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
  });
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
    if (isJudged) return judgedVerdict(tried, run.context);
    const { result } = await runCase(tried, run.context);
    const { missing, reason = '', durationMs: milliseconds, exchanges } = result;
    // An operation that is not implemented makes the run fail, as a failed rule does.
    const verdict: Verdict = routeOfMissing(missing) === undefined ? result.verdict : 'failed';
    return { verdict, reason, milliseconds, exchanges };
  }
}

/** The verdict of the rule's judgement on what its case sends. */
async function judgedVerdict(tried: Case, context: RunContext) {
  const book = openJudgeBook(context.target);
  const see = (exchange: Exchange | FailedRequest): void => {
    if ('response' in exchange) book.judge(exchange);
  };
  const { result } = await runCase(tried, { ...context, record: see, reuse: see });
  const { judged = 0, first } = book.findings().get(tried.rule.id as MustId) ?? {};
  const verdict: Verdict = first !== undefined ? 'failed' : judged > 0 ? 'passed' : 'not-tried';
  const reason = `${judged} exchanges judged; ${first?.[0]?.actual ?? 'none differs'}; the case: ${result.verdict}`;
  return { verdict, reason, milliseconds: result.durationMs, exchanges: result.exchanges };
}
