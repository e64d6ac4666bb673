/** The flags of `assay test`. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { Shard } from '../../reports/shards.ts';
import { oracles } from '../../spec/oracle.ts';
import type { OracleName } from '../../spec/oracle.ts';
import { allowLevels } from '../../spec/formats/target-values.ts';
import { DEFAULT_PATIENCE_SECONDS } from '../../suites/engine/open-run.ts';
import { DEFAULT_BUDGET } from '../../suites/target/ledger.ts';
import { nonNegativeNumber, appendValue, oneOf, integerBetween } from './flag-values.ts';
import { defineRequestFlags } from './target-flags.ts';
import type { TargetFlags } from './find-target.ts';

export interface TestFlags extends TargetFlags {
  only?: string[];
  skip?: string[];
  seed?: number;
  runs: number;
  budget: number;
  /** Seconds. */
  patience: number;
  report?: string;
  knownFailures?: string;
  strict?: boolean;
  shard?: Shard;
  oracle?: OracleName;
  plan?: boolean;
}

export function defineTestFlags(command: Command): void {
  defineRunFlags(command)
    .option('--only <glob>', 'tries these rules only; may be repeated', appendValue)
    .option('--skip <glob>', 'leaves these rules out; may be repeated', appendValue)
    .option('--seed <n>', 'decides every generated input (default: another each time)', integerBetween(0, 2 ** 31 - 1))
    .option('--runs <n>', 'inputs per property, at most', integerBetween(1, 1_000_000), 100)
    .option('--report <dir>', 'where the report goes (default: reports/out/RUN)')
    .option('--known-failures <file>', 'failures that do not make the run fail: a list of id, reason, ticket, expires')
    .option('--strict', 'a must rule that is not tried makes the run fail')
    .option('--shard <i/n>', 'runs one of n parts of the suites; assay merge makes one report of them', shard)
    .addOption(
      new Option('--oracle <name>', 'gives every answer to a second reader of the documents, too: prism').argParser(
        oneOf(oracles),
      ),
    )
    .option('--plan', 'says what would be sent, and sends nothing');
}

/** What every command has that tries cases on a target. */
export function defineRunFlags(command: Command): Command {
  return defineRequestFlags(command)
    .addOption(
      new Option('--allow <level>', 'what the run may do: read, write or destroy').argParser(oneOf(allowLevels)),
    )
    .option(
      '--budget <n>',
      'how many things may be created that the target may not be able to remove',
      integerBetween(0, 1_000_000),
      DEFAULT_BUDGET,
    )
    .option(
      '--patience <seconds>',
      'how long to wait for what may take effect later',
      nonNegativeNumber,
      DEFAULT_PATIENCE_SECONDS,
    );
}

function shard(value: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
  const [first, all] = [Number(index), Number(count)];
  if (first >= 1 && first <= all) return { index: first, count: all };
  throw new InvalidArgumentError('I/N such as 1/4');
}
