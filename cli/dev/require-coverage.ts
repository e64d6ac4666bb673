/** After `npm test`: every documented element that our own cases did not exercise needs a reason. */
import { isUnexplained } from '../../reports/coverage.ts';
import type { Report } from '../../spec/verdicts.ts';

/** Sets exit code 1. Does nothing if the run was interrupted or a rule failed or has an error, such as when only some files ran. */
export function requireCoverage({ coverage, run, summary }: Report): void {
  if (!run.complete || summary.error > 0 || summary.failed > 0) return;
  if (coverage === undefined) throw new Error('The report has no coverage.');
  const unexplained = coverage.missing.filter(isUnexplained);
  if (unexplained.length === 0) return;
  const lines = unexplained.map(({ operation, element, why }) => `  ${operation} ${element}: ${why}`);
  process.stderr.write(
    `Documented, but not exercised. Add a case, or a reason to spec/elements/excuses.ts:\n${lines.join('\n')}\n`,
  );
  process.exitCode = 1;
}
