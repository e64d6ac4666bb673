/** Everything as JSON. */
import type { LintReport } from '../finding.ts';
import { allFindings } from '../finding.ts';

export function json(report: LintReport): string {
  return `${JSON.stringify({ lint: 1, clean: allFindings(report).length === 0, ...report }, null, 2)}\n`;
}
