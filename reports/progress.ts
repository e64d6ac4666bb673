/**
 * Shows the progress of a run: one updated line on a terminal; otherwise one line when all rules of an area are done, and
 * one every 30 seconds if none was.
 */
import { counted } from '../spec/counted.ts';
import type { RunProgress } from '../spec/run-progress.ts';
import type { RuleResult, Verdict } from '../spec/verdicts.ts';
import { areaOf } from './report.ts';
import type { Terminal } from './fit-terminal.ts';

type Done = Pick<RuleResult, 'id' | 'verdict' | 'exchanges'>;

export interface Progress {
  /** The case of a rule begins. */
  began(rule: string): void;
  done(result: Done): void;
  /** What the cases have done so far, also those of rules that are not done. */
  update(progress: RunProgress): void;
  /** Prints the areas of which some rules are not done, and leaves the cursor at the start of an empty line. */
  end(): void;
}

/** In which the counts are printed. */
const verdictOrder: readonly Verdict[] = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'];

const INTERVAL_MS = 30_000;

/** `rules`: the ids of the rules of the run, as far as they are known. */
export function createProgress(
  out: Terminal,
  rules: () => readonly RuleResult['id'][],
  now: () => number = () => performance.now(),
): Progress {
  const started = now();
  const results: Done[] = [];
  const printed = new Set<string>();
  let latest: RunProgress = { requestCount: 0, testedCount: 0, failing: [] };
  let isSilent = true;
  const interval = out.isTTY === true ? undefined : setInterval(printInterim, INTERVAL_MS).unref();

  function summary(): string {
    const exchanges = results.reduce((sum, result) => sum + result.exchanges, 0);
    const rate = Math.round(exchanges / Math.max(0.001, (now() - started) / 1000));
    return `${results.length}/${rules().length} rules · ${counted(exchanges, 'exchange')} · ${rate}/s`;
  }

  /** Cases are done in rounds, so most rules are done only at the end of a run. */
  function printInterim(): void {
    const seconds = Math.round((now() - started) / 1000);
    if (isSilent) out.write(`${seconds} s: ${describeProgress(latest, rules().length)}\n`);
    isSilent = true;
  }

  function printArea(area: string): void {
    if (printed.has(area)) return;
    printed.add(area);
    isSilent = false;
    out.write(`${area}: ${countsOf(results.filter((result) => areaOf(result) === area))} (${summary()})\n`);
  }

  return {
    began(rule) {
      if (out.isTTY !== true) return;
      const failed = countsOf(results.filter(({ verdict }) => isFailing(verdict)));
      const line = [summary(), ...(failed === '' ? [] : [failed]), rule].join(' · ');
      out.write(`\r\u001b[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
    },
    done(result) {
      results.push(result);
      if (out.isTTY === true) return;
      const area = areaOf(result);
      const isIn = (each: Pick<RuleResult, 'id'>): boolean => areaOf(each) === area;
      if (results.filter(isIn).length >= rules().filter((id) => isIn({ id })).length) printArea(area);
    },
    update(progress) {
      latest = progress;
    },
    end() {
      clearInterval(interval);
      if (out.isTTY === true) out.write('\r\u001b[2K');
      else for (const area of new Set(results.map(areaOf))) printArea(area);
    },
  };
}

/** Such as `3,214 requests, 121 of 227 rules tested, 0 failed`. */
function describeProgress({ requestCount, testedCount, failing }: RunProgress, ruleCount: number): string {
  const requests = `${requestCount.toLocaleString('en')} ${requestCount === 1 ? 'request' : 'requests'}`;
  const failed = countsOf(failing.filter(({ verdict }) => isFailing(verdict)));
  const counts = failing.some(({ verdict }) => verdict === 'failed')
    ? failed
    : ['0 failed', failed].filter(Boolean).join(', ');
  return `${requests}, ${testedCount} of ${ruleCount} rules tested, ${counts}`;
}

const isFailing = (verdict: Verdict): boolean => ['failed', 'known-failure', 'error'].includes(verdict);

/** Such as `12 passed, 1 failed`. */
const countsOf = (results: readonly Pick<Done, 'verdict'>[]): string =>
  verdictOrder
    .map(
      (verdict) => [results.filter((result) => result.verdict === verdict).length, verdict.replace('-', ' ')] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
