/** What names the target of a command: a flag wins over ASSAY_TARGET in the environment, and that over the options file. */
import type { Command } from 'commander';
import type { Environment } from '../../suites/target/open-target.ts';
import { nonNegativeNumber } from './flag-values.ts';

/** Of the flags that name a target, of which a command takes one. */
export const targetKeys = ['target', 'baseUrl'] as const;

export function defineTargetFlags(command: Command): Command {
  return command
    .option('--target <file>', 'target file, YAML or JSON; - is standard input (default: ASSAY_TARGET)')
    .option(
      '--base-url <url>',
      'management address of a target without a file; credentials come from SVC_ADMIN_TOKEN, SVC_API_KEY … (see the README)',
    );
}

/** What every command has that sends requests of its own to a target. */
export const defineRequestFlags = (command: Command): Command =>
  defineTargetFlags(command).option('--rate <n>', 'requests a second; 0: no limit', nonNegativeNumber);

/** Whether a target is named already that the options file may not name another instead of. */
export const isTargetGiven = (command: Command, environment: Environment): boolean =>
  targetKeys.some((key) => command.getOptionValueSource(key) === 'cli') ||
  readVariable(environment, 'ASSAY_TARGET') !== undefined;

/** Of an environment variable; one that is empty counts as not set. */
export const readVariable = (environment: Environment, name: string): string | undefined =>
  environment[name] || undefined;
