/** The flags of `assay test`. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { assayVersions } from '../../spec/assay-versions.ts';
import type { AssayVersion } from '../../spec/assay-versions.ts';
import { describeOperationNames, operationsNamed } from '../../spec/operation-names.ts';
import { oracles } from '../../spec/oracle.ts';
import type { OracleName } from '../../spec/oracle.ts';
import { allowLevels } from '../../spec/formats/target-values.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_PATIENCE_SECONDS, DEFAULT_RUNS } from '../../suites/engine/open-run.ts';
import { DEFAULT_BUDGET } from '../../suites/target/ledger.ts';
import { MAX_AT_ONCE } from '../../suites/target/gate.ts';
import { MAX_BODIES } from '../../suites/target/read-body.ts';
import {
  AREAS_DESCRIPTION,
  nonNegativeNumber,
  appendValue,
  duration,
  oneOf,
  size,
  integerBetween,
} from './flag-values.ts';
import { requirePrismNode } from './prism-node.ts';
import { defineRequestFlags } from './target-flags.ts';
import type { TargetFlags } from './find-target.ts';

export interface TestFlags extends TargetFlags {
  only?: string[];
  skip?: string[];
  seed?: number;
  runs: number;
  budget: number;
  /** Seconds. */
  patience?: number;
  report?: string;
  knownFailures?: string;
  strict?: boolean;
  rulesAsOf?: AssayVersion;
  shard?: Shard;
  oracle?: OracleName;
  exchanges: (typeof exchangesFlag)[number];
  har?: boolean;
  areas?: boolean;
  concurrency: number;
  time?: number;
  maxBody?: number;
  quick?: boolean;
  failed?: boolean;
  bail?: number;
  /** Paths to watch; true: only the target. */
  watch?: true | string[];
  plan?: boolean;
}

/** One part of a run. */
export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly count: number;
}

const exchangesFlag = ['failures', 'all', 'none'] as const;

export function defineTestFlags(command: Command): void {
  defineOperationFlag(defineRunFlags(command))
    .option('--only <glob>', 'tests only these rules (repeatable)', appendValue)
    .option('--skip <glob>', 'skips these rules (repeatable)', appendValue)
    .option(
      '--failed',
      'tests only the rules that failed in the latest report of the target, and those that waited for them',
    )
    .option(
      '--watch [path...]',
      'tests again when a file at these paths, the target file, known failures or a local server changed, until Ctrl-C',
      (value: string, previous: unknown) => appendValue(value, Array.isArray(previous) ? previous : undefined),
    )
    .option('--bail <n>', 'starts no further rules after this many failed ones', integerBetween(1, 1_000_000))
    .option('--seed <n>', 'seed of all generated inputs (default: random)', integerBetween(0, 2 ** 31 - 1))
    .option('--runs <n>', 'maximum number of inputs per property', integerBetween(1, 1_000_000), DEFAULT_RUNS)
    .option(
      '--concurrency <n>',
      `maximum number of requests that are sent at the same time, at most ${MAX_BODIES}. Rules about simultaneous requests send up to ${MAX_AT_ONCE}, however low it is`,
      integerBetween(1, MAX_BODIES),
      DEFAULT_CONCURRENCY,
    )
    .option('--time <duration>', 'stops testing further inputs after this time, such as 60s', duration)
    .option('--quick', 'tests only the first inputs of every rule')
    .option('--report <dir>', 'report folder (default: reports/out/RUN)')
    .addOption(
      new Option(
        '--exchanges <which>',
        'which exchanges the report contains: failures (of failed rules, and a few of the others), all or none',
      )
        .argParser(oneOf(exchangesFlag))
        .default('failures'),
    )
    .option('--har', 'also writes the exchanges as a HAR file')
    .option('--areas', AREAS_DESCRIPTION)
    .option('--known-failures <file>', 'rules that may fail: a YAML or JSON list of id, reason, ticket, expires')
    .option(
      '--rules-as-of <version>',
      'rules that are newer than this version of assay only observe, so that an upgrade fails no run',
      oneOf(assayVersions),
    )
    .option('--strict', 'a must rule that is not tried counts as failed')
    .option('--shard <i/n>', 'runs one of n parts of the suites; assay merge combines their reports', shard)
    .addOption(
      new Option('--oracle <name>', 'also checks every response with a second validator: prism').argParser(oracle),
    )
    .option('--plan', 'prints what would be sent, and sends nothing; with --exchanges all, every method and path');
}

/** The flags of commands that run cases against a target. */
export function defineRunFlags(command: Command): Command {
  return defineRequestFlags(command)
    .addOption(
      new Option(
        '--allow <level>',
        'what the run may do: read, write (also create and change) or destroy (also remove what it did not create)',
      ).argParser(oneOf(allowLevels)),
    )
    .option(
      '--budget <n>',
      'maximum number of created resources that the target may be unable to remove',
      integerBetween(0, 1_000_000),
      DEFAULT_BUDGET,
    )
    .option(
      '--patience <seconds>',
      `how long to wait for delayed effects (default: ${DEFAULT_PATIENCE_SECONDS}; of a replay: as in its run)`,
      nonNegativeNumber,
    )
    .option(
      '--max-body <size>',
      'maximum size of a response body (default: 16MiB; of a replay: as in its run); a longer one is an error',
      size,
    );
}

export const defineOperationFlag = (command: Command): Command =>
  command.option(
    '--operation <glob>',
    'tests a target that has only these operations so far, such as listAccounts or GET /accounts (repeatable)',
    appendOperation,
  );

function appendOperation(value: string, earlier?: string[]): string[] {
  if (operationsNamed(value).length === 0) throw new InvalidArgumentError(describeOperationNames(value));
  return appendValue(value, earlier);
}

function shard(value: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
  const [first, all] = [Number(index), Number(count)];
  if (first >= 1 && first <= all) return { index: first, count: all };
  throw new InvalidArgumentError('I/N such as 1/4');
}

const oracleName = oneOf(oracles);

function oracle(value: string): OracleName {
  const name = oracleName(value);
  requirePrismNode('--oracle prism');
  return name;
}
