/** Shows the progress of a run: one updated line on a terminal, otherwise a line every 30 seconds. */
import type { RuleResult, Verdict } from '../spec/verdicts.ts';
import type { Terminal } from './fit-terminal.ts';

export interface RunProgress {
  /** That have a response, or failed. */
  readonly requestCount: number;
  /** Rules of which at least the first round has ended, except those that could not be tried. */
  readonly testedCount: number;
  /** Rules whose case has ended with one of these verdicts: failed, known-failure, error or observed. */
  readonly failing: readonly Pick<RuleResult, 'id' | 'verdict'>[];
}

/** In which the counts are printed. */
const verdictOrder: readonly Verdict[] = ['failed', 'known-failure', 'error'];

const TERMINAL_INTERVAL_MS = 1000;
const INTERVAL_MS = 30_000;

/**
 * Prints until `end` is called, which leaves the cursor at the start of an empty line. `progress`: what the cases have done so
 * far. `ruleCount`: of the rules of the run.
 */
export function showProgress(out: Terminal, ruleCount: number, progress: () => RunProgress): { end: () => void } {
  const started = performance.now();
  const isTerminal = out.isTTY === true;
  const interval = setInterval(print, isTerminal ? TERMINAL_INTERVAL_MS : INTERVAL_MS).unref();
  function print(): void {
    const seconds = Math.round((performance.now() - started) / 1000);
    const line = `${seconds} s: ${describeProgress(progress(), ruleCount)}`;
    out.write(isTerminal ? `${CLEAR_LINE}${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`);
  }
  return {
    end() {
      clearInterval(interval);
      if (isTerminal) out.write(CLEAR_LINE);
    },
  };
}

const CLEAR_LINE = '\r\u001b[2K';

/** Such as `3,214 requests, 121 of 227 rules tested, 0 failed`. */
function describeProgress({ requestCount, testedCount, failing }: RunProgress, ruleCount: number): string {
  const requests = `${requestCount.toLocaleString('en')} ${requestCount === 1 ? 'request' : 'requests'}`;
  const failed = countsOf(failing);
  const counts = failing.some(({ verdict }) => verdict === 'failed')
    ? failed
    : ['0 failed', failed].filter(Boolean).join(', ');
  return `${requests}, ${testedCount} of ${ruleCount} rules tested, ${counts}`;
}

/** Such as `12 failed, 1 error`. */
const countsOf = (results: readonly Pick<RuleResult, 'verdict'>[]): string =>
  verdictOrder
    .map(
      (verdict) => [results.filter((result) => result.verdict === verdict).length, verdict.replace('-', ' ')] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
