/** Everything as JSON, except the list of rules. */
import type { LintReport } from '../finding.ts';
import { allFindings, isFailing } from '../finding.ts';

export function json({ documents, ...report }: LintReport): string {
  const all = allFindings({ documents, ...report });
  const content = {
    lint: 1,
    clean: all.length === 0,
    failing: all.filter((each) => isFailing(each, report)).length,
    ...report,
    documents: documents.map(({ rules: _rules, ...document }) => document),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
