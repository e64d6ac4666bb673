/** The command `assay test`: finds the target, runs the suites against it, removes what they created, writes the report. */
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { exitCodeOf } from '../reports/report.ts';
import { writeReport } from '../reports/write-report.ts';
import type { Report } from '../spec/verdicts.ts';
import type { RunSettings } from '../suites/open-run.ts';
import { BadUsage } from './bad-usage.ts';
import { allowLevels, findTarget, Unreachable } from './test-target.ts';
import type { TargetFlags } from './test-target.ts';
import { notNegative, oneMore, oneOf, wholeNumber } from './flag-values.ts';
import { selectedRules } from './selection.ts';
import type { Subcommand } from './subcommand.ts';

interface Flags extends TargetFlags {
  only?: string[];
  skip?: string[];
  seed?: number;
  runs: number;
  report?: string;
}

export const subcommand: Subcommand = {
  define(command) {
    command
      .option('--target <file>', 'target file, YAML or JSON; - is standard input (default: ASSAY_TARGET)')
      .option(
        '--base-url <url>',
        'management address of a target without a file; credentials come from SVC_ADMIN_TOKEN and so on',
      )
      .option('--only <glob>', 'tries these rules only; may be repeated', oneMore)
      .option('--skip <glob>', 'leaves these rules out; may be repeated', oneMore)
      .addOption(
        new Option('--allow <level>', 'what the run may do: read, write or destroy').argParser(oneOf(allowLevels)),
      )
      .option('--seed <n>', 'decides every generated input (default: another each time)', wholeNumber(0, 2 ** 31 - 1))
      .option('--runs <n>', 'inputs per property', wholeNumber(1, 1_000_000), 100)
      .option('--rate <n>', 'requests a second; 0: no limit', notNegative)
      .option('--report <dir>', 'where the report goes (default: reports/out/RUN)');
  },
  async run(options) {
    const flags = options as unknown as Flags;
    const selected = selectedRules(flags.only, flags.skip);
    try {
      const target = await findTarget(flags, process.env);
      const runId = newRunId();
      const folder = reportFolder(flags.report ?? path.join('reports', 'out', runId));
      return await judge(
        {
          target,
          runId,
          seed: flags.seed ?? randomInt(2 ** 31),
          runs: flags.runs,
          ...(selected === undefined ? {} : { selected }),
        },
        folder,
      );
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      process.stderr.write(`assay test: the target could not be reached. ${error.message}\n`);
      return 3;
    }
  },
};

/** Made before anything is sent: a run whose report cannot be written is of no use. */
function reportFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new BadUsage(`the report cannot be written to "${given}": ${(error as Error).message}. Give --report DIR.`);
  }
}

/** Sorts by time; 9 characters, since names of at most 49 begin with it. */
function newRunId(): string {
  return (
    Math.floor(Date.now() / 1000).toString(36) +
    randomInt(36 ** 3)
      .toString(36)
      .padStart(3, '0')
  );
}

async function judge(run: RunSettings, folder: string): Promise<number> {
  // Loaded here: whoever mistypes a flag need not wait for vitest.
  const [{ runSuites }, { cleanUp }] = await Promise.all([import('./run-suites.ts'), import('./clean-up.ts')]);
  const settings: RunSettings = {
    ...run,
    ledgerFile: path.join(folder, 'ledger.ndjson'),
    exchangesFile: path.join(folder, 'exchanges.ndjson'),
  };
  const left: string[] = [];
  let report: Report | undefined;
  try {
    report = await runSuites(settings, (made) => writeReport(made, folder));
  } finally {
    left.push(...(await cleanUp(settings)));
  }
  for (const line of left) process.stdout.write(`${line}\n`);
  process.stdout.write(`The report is in ${folder.startsWith(process.cwd()) ? path.relative('.', folder) : folder}.\n`);
  return report === undefined ? 3 : exitCodeOf(report);
}
