/** The flags that select a target. Precedence: flag, then ASSAY_TARGET in the environment, then `assay.config.ts`. */
import type { Command } from 'commander';
import { readVariable, type Environment } from '../../suites/target/environment.ts';
import { nonNegativeNumber } from './flag-values.ts';

/** The options that select a target. */
export const targetKeys = ['target', 'baseUrl'] as const;

export function defineTargetFlags(command: Command): Command {
  return command
    .option('--target <file>', 'target file, YAML or JSON; - is standard input (default: ASSAY_TARGET)')
    .option(
      '--base-url <url>',
      'management address, in place of that of --target; without a file, credentials come from SVC_ADMIN_TOKEN, …',
    );
}

/** The flags of commands that send their own requests to a target. */
export const defineRequestFlags = (command: Command): Command =>
  defineTargetFlags(command).option('--rate <n>', 'requests per second; 0: no limit', nonNegativeNumber);

/** Whether a flag or the environment selects the target, so that the config file must not. */
export const isTargetGiven = (command: Command, environment: Environment): boolean =>
  targetKeys.some((key) => command.getOptionValueSource(key) === 'cli') ||
  readVariable(environment, 'ASSAY_TARGET') !== undefined;
