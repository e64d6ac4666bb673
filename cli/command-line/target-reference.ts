/** How follow-up commands that a run prints refer to its target. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { TargetOptions } from '../../reports/replay-command.ts';
import type { Target } from '../../suites/target/target.ts';
import type { TargetFlags } from './find-target.ts';

/** The target file or the base URL; neither if the target cannot be read again. */
export function targetReference({ target: file, baseUrl }: TargetFlags, target: Target): TargetOptions {
  const { management } = target.addresses;
  if (baseUrl !== undefined && management !== undefined) return { baseUrl: management };
  return file === undefined || !canBeReopened(file) ? {} : { targetFile: file };
}

/** Not standard input, a pipe, or a process substitution of the shell (`<(…)`). */
const canBeReopened = (file: string): boolean =>
  file !== '-' &&
  !/^\/(?:dev|proc)\//.test(path.resolve(file)) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
