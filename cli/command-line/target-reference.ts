/** How follow-up commands that a run prints refer to its target. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { TargetOptions } from '../../reports/replay-command.ts';
import type { Target } from '../../suites/target/target.ts';
import type { TargetFlags } from './find-target.ts';

/**
 * The target file, the base URL, or both; neither if the target cannot be read again. With a base URL, a file that cannot be read
 * again becomes standard input.
 */
export function targetReference({ target: file, baseUrl }: TargetFlags, target: Target): TargetOptions {
  const { management } = target.addresses;
  const base = baseUrl === undefined || management === undefined ? {} : { baseUrl: management };
  if (file === undefined) return base;
  if (canBeReopened(file)) return { targetFile: file, ...base };
  return baseUrl === undefined ? {} : { targetFile: '-', ...base };
}

/** Not standard input, a pipe, or a process substitution of the shell (`<(…)`). */
const canBeReopened = (file: string): boolean =>
  file !== '-' &&
  !/^\/(?:dev|proc)\//.test(path.resolve(file)) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
