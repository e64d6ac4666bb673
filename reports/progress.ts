/** Shows the progress of a run: one updated line on a terminal, otherwise one line when all rules of an area are done. */
import { counted } from '../spec/counted.ts';
import type { RuleResult, Verdict } from '../spec/verdicts.ts';
import { areaOf } from './report.ts';
import type { Terminal } from './fit-terminal.ts';

type Done = Pick<RuleResult, 'id' | 'verdict' | 'exchanges'>;

export interface Progress {
  /** The case of a rule begins. */
  began(rule: string): void;
  done(result: Done): void;
  /** Prints the areas of which some rules are not done, and leaves the cursor at the start of an empty line. */
  end(): void;
}

/** In which the counts are printed. */
const verdictOrder: readonly Verdict[] = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'];

/** `rules`: the ids of the rules of the run, as far as they are known. */
export function createProgress(
  out: Terminal,
  rules: () => readonly RuleResult['id'][],
  now: () => number = () => performance.now(),
): Progress {
  const started = now();
  const results: Done[] = [];
  const printed = new Set<string>();

  function summary(): string {
    const exchanges = results.reduce((sum, result) => sum + result.exchanges, 0);
    const rate = Math.round(exchanges / Math.max(0.001, (now() - started) / 1000));
    return `${results.length}/${rules().length} rules · ${counted(exchanges, 'exchange')} · ${rate}/s`;
  }

  function printArea(area: string): void {
    if (printed.has(area)) return;
    printed.add(area);
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
    end() {
      if (out.isTTY === true) out.write('\r\u001b[2K');
      else for (const area of new Set(results.map(areaOf))) printArea(area);
    },
  };
}

const isFailing = (verdict: Verdict): boolean => ['failed', 'known-failure', 'error'].includes(verdict);

/** Such as `12 passed, 1 failed`. */
const countsOf = (results: readonly Done[]): string =>
  verdictOrder
    .map(
      (verdict) => [results.filter((result) => result.verdict === verdict).length, verdict.replace('-', ' ')] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
