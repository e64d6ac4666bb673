/** badge.json: a run in three words, in the endpoint form of shields.io. */
import type { Report } from '../spec/verdicts.ts';
import { causesOf } from './failure-causes.ts';
import type { CauseKind } from './failure-causes.ts';
import { mustRulesTried } from './report.ts';

interface Words {
  message: string;
  color: string;
}

export const toBadge = (report: Report): string =>
  `${JSON.stringify({ schemaVersion: 1, label: 'conformance', ...wordsOf(report) })}\n`;

/** By what the run ends with, and how often that is there. */
const amiss: Readonly<Record<CauseKind, (count: number) => Words>> = {
  'cut-short': () => ({ message: 'cut short', color: 'orange' }),
  failed: (count) => ({ message: `${count} failed`, color: 'red' }),
  'out-of-date': () => ({ message: 'not as wanted', color: 'red' }),
  'seen-broken': () => ({ message: 'not as wanted', color: 'red' }),
  error: (count) => ({ message: count === 1 ? '1 error' : `${count} errors`, color: 'orange' }),
  oracle: () => ({ message: 'harness at fault', color: 'orange' }),
  untried: () => ({ message: 'not as wanted', color: 'red' }),
};

function wordsOf(report: Report): Words {
  const [cause] = causesOf(report);
  if (cause !== undefined) return amiss[cause.kind](cause.found.length);
  const { tried, all } = mustRulesTried(report);
  if (tried === 0) return { message: 'nothing tried', color: 'lightgrey' };
  const { knownFailure } = report.summary;
  const known = knownFailure === 0 ? '' : `, ${knownFailure} known to fail`;
  return { message: `${tried} of ${all} rules tried${known}`, color: known === '' ? 'brightgreen' : 'yellowgreen' };
}
