/** badge.json: the result of a run in the endpoint format of shields.io. */
import { counted } from '../spec/counted.ts';
import type { Report } from '../spec/verdicts.ts';
import { causesOf } from './failure-causes.ts';
import type { CauseKind } from './failure-causes.ts';
import { mustRulesTried } from './report.ts';

interface BadgeText {
  message: string;
  color: string;
}

export const toBadge = (report: Report): string =>
  `${JSON.stringify({ schemaVersion: 1, label: 'conformance', ...badgeText(report) })}\n`;

/** By the first cause of failure and its number of findings. */
const badgeByCause: Readonly<Record<CauseKind, (count: number) => BadgeText>> = {
  interrupted: () => ({ message: 'interrupted', color: 'orange' }),
  failed: (count) => ({ message: `${count} failed`, color: 'red' }),
  'not-implemented': (count) => ({ message: `${counted(count, 'operation')} missing`, color: 'red' }),
  'known-failures': () => ({ message: 'known failures outdated', color: 'red' }),
  'oracle-violation': (count) => ({ message: `${count} violated`, color: 'red' }),
  error: (count) => ({ message: counted(count, 'error'), color: 'orange' }),
  'oracle-error': () => ({ message: 'oracle error', color: 'orange' }),
  'nothing-tried': () => ({ message: 'nothing tried', color: 'red' }),
  'not-tried': (count) => ({ message: `${count} not tried`, color: 'red' }),
};

function badgeText(report: Report): BadgeText {
  const [cause] = causesOf(report);
  if (cause !== undefined) return badgeByCause[cause.kind](cause.findings.length);
  const { tried, sentence } = mustRulesTried(report);
  if (tried === 0) return { message: 'nothing tried', color: 'lightgrey' };
  const { knownFailure } = report.summary;
  const known = knownFailure === 0 ? '' : `, ${counted(knownFailure, 'known failure')}`;
  return { message: `${sentence.replace('must ', '')}${known}`, color: known === '' ? 'brightgreen' : 'yellowgreen' };
}
