/** Prints checks, one per line, with what to do below each that failed. */
import type { Check } from './check.ts';

const WIDTH = 8;

/** Ends with a line feed. */
export function renderChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  const lines = checks.flatMap(({ outcome, subject, found, advice }) => [
    `${outcome.padEnd(WIDTH)}${subject.padEnd(width)}  ${found}`,
    ...(advice === undefined ? [] : [`${' '.repeat(WIDTH + width)}  → ${advice}`]),
  ]);
  return `${lines.join('\n')}\n\n${summarize(checks)}\n`;
}

function summarize(checks: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number => checks.filter((check) => check.outcome === outcome).length;
  const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
  return `${checks.length} checks: ${count('passed')} passed, ${count('failed')} failed${skipped}.`;
}
