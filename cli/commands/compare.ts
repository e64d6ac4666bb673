/** `assay compare`: runs one sequence on two targets, or compares two recordings. Exit code 1 if they differ. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { exitCodeOf } from '../../reports/compare/rows.ts';
import { comparisonText } from '../../reports/compare/text.ts';
import { uselessEntries, withKnownDifferences } from '../../reports/compare/known-differences.ts';
import { writeComparison } from '../../reports/compare/write-comparison.ts';
import { displayFolder } from '../../reports/replay-command.ts';
import { outputLine, withoutCommands } from '../../reports/workflow-command.ts';
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { allowLevels, type Allow } from '../../spec/formats/target-values.ts';
import { jsonText } from '../../spec/json-text.ts';
import { describeOperationNames, operationsNamed } from '../../spec/operation-names.ts';
import { DEFAULT_BUDGET } from '../../suites/target/ledger.ts';
import { findTargetFile, reportUnreachable, TargetUnreachableError } from '../command-line/find-target.ts';
import { appendValue, duration, integerBetween, nonNegativeNumber, oneOf } from '../command-line/flag-values.ts';
import { exitIfInterrupted, interruption } from '../command-line/interruption.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NamedTarget } from '../compare/compare-online.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { readKnownDifferences } from '../run/read-known-failures.ts';
import { newRunId } from '../run/run-id.ts';

interface Flags {
  mock?: string;
  versions?: VersionPair;
  profile?: string;
  allow?: Allow;
  rate?: number;
  budget: number;
  seed?: number;
  requests: number;
  time?: number;
  patience: number;
  only?: string[];
  report?: string;
  knownDifferences?: string;
  explain?: boolean;
  plan?: boolean;
  json?: boolean;
}

const DEFAULT_REQUESTS = 300;
const DEFAULT_PATIENCE_SECONDS = 5;

export const subcommand: CommandModule = {
  examples: [
    'assay compare staging.yaml production.yaml',
    'assay compare staging.yaml production.yaml --allow write --seed 7',
    'assay compare staging.yaml production.yaml --allow write --plan',
    'assay compare --mock staging.yaml',
    'assay compare --versions 2026-04-16..2026-10-01 staging.yaml',
    'assay compare monday/a/exchanges.ndjson tuesday/a/exchanges.ndjson',
  ],
  define(command) {
    command
      .argument('[a]', 'target file, or a recording: HAR, or exchanges.ndjson of assay')
      .argument('[b]', 'the other target file or recording')
      .option('--mock <file>', 'compares a mock, started for it, with the target of this file, and prints its fidelity')
      .option(
        '--versions <a..b>',
        'compares two versions of the management API of one target: what changes for its clients',
        versionPair,
      )
      .option('--profile <file>', 'with --mock: the observations that the mock imitates')
      .addOption(
        new Option(
          '--allow <level>',
          'what the sequence may do on both: read, write (also create and change) or destroy (default: as the target files say)',
        ).argParser(oneOf(allowLevels)),
      )
      .option('--requests <n>', 'length of the sequence', integerBetween(1, 100_000), DEFAULT_REQUESTS)
      .option('--seed <n>', 'seed of the sequence (default: random)', integerBetween(1, 2 ** 31 - 1))
      .option('--time <duration>', 'ends the sequence after this time, such as 60s', duration)
      .option(
        '--only <glob>',
        'sends only these operations, such as updateAgent or GET /agents (repeatable)',
        appendOperation,
      )
      .option('--rate <n>', 'requests per second, for each target; 0: no limit', nonNegativeNumber)
      .option(
        '--budget <n>',
        'maximum number of created resources that a target may be unable to remove',
        integerBetween(0, 1_000_000),
        DEFAULT_BUDGET,
      )
      .option(
        '--patience <seconds>',
        'how long one target may take longer than the other',
        nonNegativeNumber,
        DEFAULT_PATIENCE_SECONDS,
      )
      .option('--report <dir>', 'report folder (default: reports/out/RUN)')
      .option(
        '--known-differences <file>',
        'accepted differences: a YAML or JSON list of operation, at, context, reason, ticket, expires',
      )
      .option('--plan', 'prints what would be sent, and sends nothing')
      .option('--explain', 'prints what made different values count as the same')
      .option('--json', 'prints the report as JSON, and everything else to standard error');
  },
  async run(options, _, positional) {
    const flags = options as unknown as Flags;
    const names = positional
      .flat()
      .filter((each) => each !== undefined)
      .map(String);
    const known = flags.knownDifferences === undefined ? [] : readKnownDifferences(flags.knownDifferences);
    const out = flags.json === true ? process.stderr : process.stdout;
    const say = (sentence: string): void => void out.write(outputLine(sentence, out));
    const runId = newRunId();
    const folder = (): string => prepareReportFolder(flags.report ?? path.join(REPORTS_FOLDER, runId));
    const interrupted = interruption('compare');
    try {
      const found = await compared(names, flags, { runId, folder, say, interrupted });
      if ('plan' in found) {
        out.write(withoutCommands(found.plan));
        return exitIfInterrupted(0, interrupted);
      }
      const report = withKnownDifferences(found.report, known);
      const scores = flags.mock !== undefined;
      await writeComparison(report, found.folder, scores);
      const text = comparisonText(report, { explains: flags.explain === true, scores });
      out.write(withoutCommands(text));
      for (const sentence of uselessEntries(report, known)) say(sentence);
      if (flags.json === true) process.stdout.write(`${jsonText(report)}\n`);
      const { seed } = report.run;
      say(`The report is in ${displayFolder(found.folder)}.${seed === 0 ? '' : ` The sequence has seed ${seed}.`}`);
      return exitIfInterrupted(exitCodeOf(report), interrupted);
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('compare', error);
      throw error;
    }
  },
};

interface VersionPair {
  readonly a: string;
  readonly b: string;
}

/** Of the form `2026-04-16..2026-10-01`; either may end in `.preview`. */
function versionPair(value: string): VersionPair {
  const version = String.raw`\d{4}-\d\d-\d\d(?:\.preview)?`;
  const [, a, b] = new RegExp(String.raw`^(${version})\.\.(${version})$`).exec(value) ?? [];
  if (a === undefined || b === undefined || a === b)
    throw new InvalidArgumentError('two different versions, such as 2026-04-16..2026-10-01');
  return { a, b };
}

function appendOperation(value: string, earlier?: string[]): string[] {
  if (operationsNamed(value).length === 0) throw new InvalidArgumentError(describeOperationNames(value));
  return appendValue(value, earlier);
}

interface Context {
  readonly runId: string;
  readonly folder: () => string;
  readonly say: (sentence: string) => void;
  readonly interrupted: AbortSignal;
}

interface Compared {
  readonly report: ComparisonReport;
  readonly folder: string;
}

async function compared(
  names: readonly string[],
  flags: Flags,
  context: Context,
): Promise<Compared | { readonly plan: string }> {
  const { runId, say } = context;
  if (flags.mock !== undefined && flags.versions !== undefined)
    throw new UsageError('--mock compares a mock with a target, --versions two versions of one: pass one of them.');
  if (flags.mock !== undefined) return withMock(flags.mock, names, flags, context);
  if (flags.profile !== undefined) throw new UsageError('--profile is for the mock of --mock FILE.');
  if (flags.versions !== undefined) return withVersions(flags.versions, names, flags, context);
  const [a, b] = names;
  if (a === undefined || b === undefined)
    throw new UsageError('Pass two target files or two recordings, or one target file with --mock or --versions.');
  const recordings = names.filter(isRecording);
  if (recordings.length === 1)
    throw new UsageError(`"${recordings[0]}" is a recording, and the other one is not: pass two of a kind.`);
  if (recordings.length === 2) {
    if (flags.plan === true) throw new UsageError('--plan is for two targets: nothing is sent for recordings.');
    const [{ compareRecordings }, { collectCases }] = await Promise.all([
      import('../compare/compare-recordings.ts'),
      import('../../suites/engine/collect-cases.ts'),
    ]);
    await collectCases(); // Registers the judgements.
    const report = await compareRecordings({ a, b }, runId, say);
    return { report, folder: context.folder() };
  }
  if (a === '-' && b === '-') throw new UsageError('Standard input can be one of the targets only.');
  const read = async (target: string): Promise<NamedTarget> => ({ file: await fileOf(target, flags), name: target });
  return online({ a: await read(a), b: await read(b) }, flags, context);
}

const isRecording = (name: string): boolean => /\.(?:ndjson|har|zhar|zip|gz)$/i.test(name);

const fileOf = (target: string, { allow, rate }: Flags): Promise<TargetFile> =>
  findTargetFile({ target, ...(allow && { allow }), ...(rate !== undefined && { rate }) }, process.env);

async function withVersions({ a, b }: VersionPair, names: readonly string[], flags: Flags, context: Context) {
  const [name, ...more] = names;
  if (name === undefined || more.length > 0 || isRecording(name))
    throw new UsageError('--versions compares two versions of one target: pass one target file.');
  const target: NamedTarget = { file: await fileOf(name, flags), name };
  return online({ a: { ...target, version: a }, b: { ...target, version: b } }, flags, context);
}

async function withMock(name: string, names: readonly string[], flags: Flags, context: Context) {
  if (names.length > 0) throw new UsageError(`--mock compares with one target, that of "${name}"; omit "${names[0]}".`);
  const file = await fileOf(name, flags);
  if (flags.plan === true)
    return online({ a: { file: { ...file, name: 'the mock' } }, b: { file, name } }, flags, context);
  const { startComparedMock } = await import('../compare/compared-mock.ts');
  await using mock = await startComparedMock(file, flags.profile, context.say);
  return await online({ a: { file: mock.file }, b: { file, name } }, flags, context); // The mock stops afterwards.
}

async function online(
  targets: { a: NamedTarget; b: NamedTarget },
  flags: Flags,
  { runId, folder: prepare, say, interrupted }: Context,
) {
  const { requests, budget, time, only, patience } = flags;
  const options = {
    runId,
    requests,
    budget,
    seed: flags.seed ?? randomInt(1, 2 ** 31),
    patienceSeconds: patience,
    ...(only && { only }),
  };
  if (flags.plan === true) {
    const { planComparison } = await import('../compare/plan-comparison.ts');
    return { plan: await planComparison(targets, options, interrupted) };
  }
  const { compareOnline } = await import('../compare/compare-online.ts');
  const folder = prepare();
  const all = { ...options, folder, say, ...(time !== undefined && { time }) };
  return { report: await compareOnline(targets, all, interrupted), folder };
}
