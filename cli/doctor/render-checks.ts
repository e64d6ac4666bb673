/** Prints checks, one per line, with what to do below the failed ones and warnings, each piece of advice once. */
import { counted } from '../../spec/counted.ts';
import type { Check } from './check.ts';

const WIDTH = 8;

/** Ends with a line feed. */
export function renderChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  const byAdvice = Map.groupBy(checks, ({ advice }) => advice);
  const lines = checks.flatMap((check) => {
    const { outcome, subject, found, advice } = check;
    const [first, ...others] = byAdvice.get(advice) ?? [];
    const isPrinted = advice !== undefined && first === check;
    return [
      `${outcome.padEnd(WIDTH)}${subject.padEnd(width)}  ${found}`,
      ...(isPrinted ? [`${' '.repeat(WIDTH + width)}  → ${advice}${alsoFor(others)}`] : []),
    ];
  });
  return `${lines.join('\n')}\n\n${summarize(checks)}\n`;
}

function alsoFor(others: readonly Check[]): string {
  const subjects = [...new Set(others.map(({ subject }) => subject))];
  return subjects.length === 0 ? '' : ` (also for ${subjects.join(', ')})`;
}

function summarize(checks: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number => checks.filter((check) => check.outcome === outcome).length;
  const warnings = count('warning') === 0 ? '' : `, ${counted(count('warning'), 'warning')}`;
  const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
  return `${checks.length} checks: ${count('passed')} passed, ${count('failed')} failed${warnings}${skipped}.`;
}
