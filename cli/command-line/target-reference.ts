/** What names a target to a command that goes on from a run. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { TargetOptions } from '../../reports/replay-command.ts';
import type { Target } from '../../suites/target/target.ts';
import type { TargetFlags } from './find-target.ts';

/** A file, or an address as it was read. */
export function targetReference({ target: file, baseUrl }: TargetFlags, target: Target): TargetOptions {
  const { management } = target.addresses;
  if (baseUrl !== undefined && management !== undefined) return { baseUrl: management };
  return file === undefined || !canBeReopened(file) ? {} : { targetFile: file };
}

/** Standard input, a pipe and what a shell opened for this command alone (`<(…)`) cannot. */
const canBeReopened = (file: string): boolean =>
  file !== '-' &&
  !/^\/(?:dev|proc)\//.test(path.resolve(file)) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
