/** Steps in which watches open and close while files are written, and the lines each watch must receive. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import type { StepResult } from '../engine/sequence.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { isLimit, putTree } from '../kit/sandbox/tree.ts';
import {
  fence,
  LEAVING_SECONDS,
  livenessMismatches,
  writeAndAwaitLines,
  exceedsWatchLimit,
  openFurtherWatch,
  openWatch,
  undefinedIfTooMany,
} from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { freshFiles, needDirectories } from './watched-directories.ts';

export type Step =
  | { readonly action: 'open'; readonly at: number }
  | { readonly action: 'close'; readonly which: number }
  | { readonly action: 'write'; readonly at: number; readonly files: number };

/** The directories and the open watches. */
export interface WatchContext {
  readonly directories: readonly string[];
  readonly watches: Watch[];
}

const at = fc.nat({ max: 2 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ action: fc.constant('open' as const), at }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('close' as const), which: fc.nat({ max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ action: fc.constant('write' as const), at, files: fc.integer({ min: 1, max: 3 }) }),
  },
);

const write = (directory: number): Step => ({ action: 'write', at: directory, files: 2 });
const open = (directory: number): Step => ({ action: 'open', at: directory });
const close = (which: number): Step => ({ action: 'close', which });

/** Closes the first and one in between. */
const manyWatchers: Step[] = [
  ...Array.from({ length: 9 }, () => open(0)),
  open(1),
  write(0),
  close(0),
  close(4),
  write(0),
  write(1),
];
const alternating: Step[] = [
  open(0),
  open(0),
  write(0),
  close(0),
  write(0),
  open(0),
  close(0),
  write(0),
  close(0),
  write(0),
];

/** Short ones first, since their failures are easier to read. */
export const examples: readonly (readonly Step[])[] = [
  [open(0), open(0), write(0)],
  [open(0), open(0), close(0), write(0)],
  [open(0), open(0), close(1), write(0)],
  [open(0), open(1), close(0), write(1)],
  alternating,
  manyWatchers,
];

/** The first watch. Throws NotTried if it is still refused with 429. */
async function openFirst(run: Run, directory: string, patience: Patience): Promise<Watch> {
  const tryOpen = async (): Promise<Watch | undefined> => {
    const watch = await undefinedIfTooMany(openWatch(run, directory, patience));
    if (watch !== undefined && exceedsWatchLimit(watch)) await watch.close();
    return watch;
  };
  const isAdmitted = (watch: Watch | undefined) => watch !== undefined && !exceedsWatchLimit(watch);
  return run.need(await eventually(tryOpen, isAdmitted, LEAVING_SECONDS), 'a watch that is not refused with 429');
}

/** Throws NotTried if a directory without a watch refuses such a write, too: then no watch affects it. */
async function needUnwatched(run: Run, names: readonly string[]): Promise<void> {
  const top = await newWritableDirectory(run);
  await needDirectories(run, top, ['watched']);
  run.need(isSuccessful(await putTree(run, `${top}/watched`, freshFiles(names))), 'a tree write that is accepted');
}

/** Runs the step and checks that each watch of the directory reports the write. */
export async function runStep(
  run: Run,
  patience: Patience,
  { directories, watches }: WatchContext,
  stepToRun: Step,
): Promise<StepResult> {
  if (stepToRun.action === 'close') {
    const [leaving] = watches.splice(stepToRun.which % Math.max(watches.length, 1), 1);
    await leaving?.close();
    return { exchanges: leaving === undefined ? [] : [{ closes: leaving.stream }], mismatches: [] };
  }
  const directory = directories[stepToRun.at] ?? '';
  if (stepToRun.action === 'open') {
    const openAnother = watches.length === 0 ? openFirst : openFurtherWatch;
    const watch = await openAnother(run, directory, patience);
    if (watch === undefined) return { exchanges: [], mismatches: [] };
    watches.push(watch);
    const mismatches = await livenessMismatches(watch);
    return { exchanges: mismatches.length === 0 ? [{ opens: watch.stream }] : [], mismatches };
  }
  const names = Array.from({ length: stepToRun.files }, (_, file) => `f${file}.txt`);
  const listening = watches.filter((watch) => watch.directory === directory);
  const { written, missingLines } = await writeAndAwaitLines(run, listening, names, () =>
    putTree(run, directory, freshFiles(names)),
  );
  if (isLimit(written)) await needUnwatched(run, names);
  const [first, ...others] = listening;
  if (missingLines.length === 0 && first !== undefined) await fence(run, first, ...others);
  return { exchanges: [written], mismatches: [...statusClass(written, '2xx'), ...missingLines] };
}
