/** badge.json: a run in three words, in the endpoint form of shields.io. */
import type { Report } from '../spec/verdicts.ts';
import { exitCodeOf, mustRulesTried } from './report.ts';

export const toBadge = (report: Report): string =>
  `${JSON.stringify({ schemaVersion: 1, label: 'conformance', ...wordsOf(report) })}\n`;

function wordsOf(report: Report): { message: string; color: string } {
  const { summary, run } = report;
  const { tried, all } = mustRulesTried(report);
  if (!run.complete) return { message: 'cut short', color: 'orange' };
  if (summary.failed > 0) return { message: `${summary.failed} failed`, color: 'red' };
  if (exitCodeOf(report) === 3) return { message: trouble(summary.error), color: 'orange' };
  if (exitCodeOf(report) === 1) return { message: 'not as wanted', color: 'red' };
  if (tried === 0) return { message: 'nothing tried', color: 'lightgrey' };
  const known = summary.knownFailure === 0 ? '' : `, ${summary.knownFailure} known to fail`;
  return { message: `${tried} of ${all} rules tried${known}`, color: known === '' ? 'brightgreen' : 'yellowgreen' };
}

function trouble(errors: number): string {
  if (errors === 0) return 'harness at fault';
  return errors === 1 ? '1 error' : `${errors} errors`;
}
