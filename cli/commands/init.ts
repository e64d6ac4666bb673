/** `assay init`: probes a deployment, read-only, and writes a target file for it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { textWidth } from '../../reports/fit-terminal.ts';
import { wrap } from '../../reports/printable.ts';
import { quoteFile } from '../../reports/replay-command.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import { describeTarget } from '../../suites/target/open-target.ts';
import { parseTargetFile } from '../../suites/target/target-file.ts';
import {
  reportUnreachable,
  TargetUnreachableError,
  targetFromVariables,
  withUsageErrors,
} from '../command-line/find-target.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Probe } from '../init/probe-deployment.ts';
import type { UsableRules } from '../init/usable-rules.ts';

const DEFAULT_FILE = 'assay.target.yaml';

export const subcommand: CommandModule = {
  examples: [
    'SVC_API_KEY=… assay init --base-url https://api.example.com/v0',
    'assay init --base-url https://api.staging.example/v0 --out staging.yaml',
  ],
  define: (command) =>
    void command
      .option('--base-url <url>', 'management address; credentials come from SVC_ADMIN_TOKEN, SVC_API_KEY, …')
      .option(
        '--out <file>',
        'target file to write, as JSON if it ends in .json, otherwise YAML; an existing file is never overwritten',
        DEFAULT_FILE,
      ),
  async run(options) {
    const { baseUrl, out } = options as { baseUrl?: string; out: string };
    if (baseUrl === undefined)
      throw new UsageError('No address. Expected --base-url URL, such as https://api.example.com/v0.');
    if (existsSync(out)) throw alreadyExists(out);
    const { targetText } = await import('../init/target-text.ts');
    const { probeDeployment, UnreachableDeployment } = await import('../init/probe-deployment.ts');
    const file = await withUsageErrors(async () => targetFromVariables(baseUrl, process.env));
    try {
      const probe = await withUsageErrors(() => probeDeployment(file, process.env));
      const text = targetText(probe.yaml, out);
      write(out, text);
      for (const line of await describeResult(out, text, probe)) process.stdout.write(outputLine(line, process.stdout));
      return 0;
    } catch (error) {
      if (!(error instanceof UnreachableDeployment)) throw error;
      return reportUnreachable('init', new TargetUnreachableError(error.message));
    }
  },
};

const alreadyExists = (file: string): UsageError =>
  new UsageError(`"${file}" already exists, and is not overwritten. Choose another --out FILE, or remove it first.`);

const notWritten = (file: string, error: unknown): UsageError =>
  new UsageError(`"${file}" cannot be written: ${(error as Error).message}. Choose another --out FILE.`);

function write(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw notWritten(file, error);
  }
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyExists(file) : notWritten(file, error);
  }
}

/** Keeps the count of an area on its line. */
const NO_BREAK = '\u00a0';

const describeArea = ({ area, usableCount, allCount }: UsableRules['areas'][number]): string =>
  `${area}${NO_BREAK}${usableCount}/${allCount}`;

async function describeResult(out: string, text: string, { account, choice, remarks }: Probe): Promise<string[]> {
  const { usableRules } = await import('../init/usable-rules.ts');
  const written: TargetFile = parseTargetFile(text, out, { environment: process.env });
  const target = await describeTarget(written, process.env);
  const { usableCount, allCount, areas, missing } = usableRules(
    account === undefined ? target : { ...target, account },
  );
  const found = Object.keys(choice.resources).join(', ') || 'none';
  return [
    `Wrote ${out}: workspace ${written.workspace ?? 'unknown'}, account ${written.account ?? 'unknown'}, resources: ${found}.`,
    ...remarks,
    '',
    `At most ${usableCount} of ${allCount} must rules can be tried with it. By area:`,
    ...wrap(areas.map(describeArea).join(', '), textWidth(process.stdout), '  ').replaceAll(NO_BREAK, ' ').split('\n'),
    ...(missing.length === 0 ? [] : ['What the others need, and how many (a rule may need several):']),
    ...missing.map(([what, ruleCount]) => `${String(ruleCount).padStart(5)}  ${what}`),
    '',
    `Edit the file, then check it: npx --no assay doctor --target ${quoteFile(out)}`,
    `See what a run would send: npx --no assay test --target ${quoteFile(out)} --plan`,
  ];
}
