/** Shows the progress of a run: one updated line on a terminal, otherwise one line per suite file. */
import type { RuleResult } from '../spec/verdicts.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** The case of a rule begins. */
  began(rule: string): void;
  done(result: RuleResult): void;
  /** All cases of a suite file are done. */
  fileDone(file: string): void;
  /** Leaves the cursor at the start of an empty line. */
  end(): void;
}

export function createProgress(
  out: Terminal,
  total: () => number,
  now: () => number = () => performance.now(),
): Progress {
  const started = now();
  let [rules, exchanges] = [0, 0];
  let sinceFile: RuleResult[] = [];

  function far(): string {
    const rate = Math.round(exchanges / Math.max(0.001, (now() - started) / 1000));
    return `${rules}/${total()} rules · ${exchanges} exchanges · ${rate}/s`;
  }

  return {
    began(rule) {
      if (out.isTTY === true) out.write(`\r\u001b[2K${`${far()} · ${rule}`.slice(0, (out.columns ?? 80) - 1)}`);
    },
    done(result) {
      rules += 1;
      exchanges += result.exchanges;
      sinceFile.push(result);
    },
    fileDone(file) {
      const counts = Map.groupBy(sinceFile, ({ verdict }) => verdict);
      const words = [...counts].map(([verdict, own]) => `${own.length} ${verdict}`);
      if (out.isTTY !== true && words.length > 0) out.write(`${file}: ${words.join(', ')} (${far()})\n`);
      sinceFile = [];
    },
    end() {
      if (out.isTTY === true) out.write('\r\u001b[2K');
    },
  };
}
