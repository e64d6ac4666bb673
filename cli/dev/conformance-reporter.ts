/** A vitest reporter that builds the report of the suites when `vitest run` ends. */
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { buildReport } from '../../reports/report.ts';
import { recordOf } from '../../reports/run-record.ts';
import { styleFor, terminalReport } from '../../reports/terminal.ts';
import { exitCodeOf } from '../../reports/failure-causes.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { Report } from '../../spec/verdicts.ts';
import { assayVersion } from '../command-line/package-info.ts';

const isSuite = (module: TestModule): boolean => module.moduleId.endsWith('.suite.ts');

/** `onReport` is called before the report is printed. Does nothing if no suites ran. */
export function conformanceReporter(onReport: (report: Report) => Promise<void>): Reporter {
  const startedAt = new Date().toISOString();
  const outcomes: CaseOutcome[] = [];
  return {
    onTestCaseResult(test: TestCase) {
      const outcome = test.meta().assay;
      if (outcome !== undefined) outcomes.push(outcome);
    },
    async onTestRunEnd(modules, unhandled, reason: TestRunEndReason) {
      const settings = modules.find(isSuite)?.project.getProvidedContext().assay;
      if (settings === undefined) return;
      const isComplete = reason !== 'interrupted' && unhandled.length === 0;
      const report = buildReport(recordOf(assayVersion, settings, {}, { startedAt, outcomes, isComplete }));
      await onReport(report);
      process.stdout.write(`\n${terminalReport(report, styleFor(process.stdout))}`);
      // vitest does not know about rules that fail without a failing test, such as the schema rule.
      if (exitCodeOf(report) !== 0) process.exitCode = exitCodeOf(report);
    },
  };
}
