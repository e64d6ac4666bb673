/** Counts what the cases of a run have done so far, for those who wait for it. */
import type { RunProgress } from '../../reports/progress.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { RunContext } from '../../suites/engine/run.ts';

/** `watch` returns a context that counts what the cases that use it do. */
export function countProgress(): { watch: (context: RunContext) => RunContext; progress: () => RunProgress } {
  let requestCount = 0;
  const tested = new Set<string>();
  const failing: Pick<RuleResult, 'id' | 'verdict'>[] = [];
  const watch = (context: RunContext): RunContext => ({
    ...context,
    record(...args) {
      requestCount += 1;
      context.record?.(...args);
    },
    endRound(rule) {
      tested.add(rule.id);
      context.endRound?.(rule);
    },
    endCase(rule, verdict, isWaiting = false) {
      if (verdict === 'not-tried') tested.delete(rule.id);
      if (!isWaiting && (verdict === 'failed' || verdict === 'error'))
        failing.push({ id: rule.id as RuleResult['id'], verdict });
      context.endCase?.(rule, verdict, isWaiting);
    },
  });
  return { watch, progress: () => ({ requestCount, testedCount: tested.size, failing }) };
}
