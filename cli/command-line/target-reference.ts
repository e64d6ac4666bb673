/** How follow-up commands that a run prints refer to its target. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { TargetOptions } from '../../reports/replay-command.ts';
import type { Target } from '../../suites/target/target.ts';
import { readVariable, type Environment } from '../../suites/target/environment.ts';
import type { TargetFlags } from './find-target.ts';
import { readMockNote } from './mock-note.ts';
import { isTargetOfCommand } from './run-beside.ts';

/**
 * The target file, the base URL, or both; neither if the target cannot be read again. With a base URL, a file that cannot be read
 * again becomes standard input. For a mock that ends with the command, the flags that start such a mock again.
 */
export function targetReference(flags: TargetFlags, target: Target, environment: Environment): TargetOptions {
  const { baseUrl } = flags;
  const found = targetFileOf(flags, environment);
  const file = found === undefined || isTargetOfCommand(found) ? undefined : found;
  const mock = mockFlags(flags, environment);
  if (mock !== undefined) return { mock: [...mock] };
  const { management } = target.addresses;
  const base = baseUrl === undefined || management === undefined ? {} : { baseUrl: management };
  if (file === undefined) return base;
  if (canBeReopened(file)) return { targetFile: file, ...base };
  return baseUrl === undefined ? {} : { targetFile: '-', ...base };
}

/** As the user named it, by a flag or in the environment. */
export const targetFileOf = ({ target, baseUrl }: TargetFlags, environment: Environment): string | undefined =>
  target ?? (baseUrl === undefined ? readVariable(environment, 'ASSAY_TARGET') : undefined);

/** Whether the target, and what was created there, is gone when the command has ended. */
export const endsWithCommand = ({ mock }: TargetOptions): boolean => mock !== undefined && !mock.includes('--state');

function mockFlags({ target, baseUrl }: TargetFlags, environment: Environment): readonly string[] | undefined {
  const file = target ?? readVariable(environment, 'ASSAY_TARGET');
  return baseUrl === undefined && file !== undefined ? readMockNote(file) : undefined;
}

/** Not standard input, a pipe, or a process substitution of the shell (`<(…)`). */
export const canBeReopened = (file: string): boolean =>
  file !== '-' &&
  !/^\/(?:dev|proc)\//.test(path.resolve(file)) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
