/** Steps of watchers that come and go while files are written, and what each of them must hear. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { eventually } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import type { StepResult } from '../engine/sequence.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, goesLive, heardBy, isOneTooMany, openWatch } from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { freshFiles } from './watched-directories.ts';

export type Step =
  | { readonly does: 'open'; readonly at: number }
  | { readonly does: 'close'; readonly which: number }
  | { readonly does: 'write'; readonly at: number; readonly files: number };

/** Where the steps happen, and who watches just then. */
export interface Scene {
  readonly directories: readonly string[];
  readonly watches: Watch[];
}

const at = fc.nat({ max: 2 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('open' as const), at }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('close' as const), which: fc.nat({ max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('write' as const), at, files: fc.integer({ min: 1, max: 3 }) }),
  },
);

const write = (directory: number): Step => ({ does: 'write', at: directory, files: 2 });
const open = (directory: number): Step => ({ does: 'open', at: directory });
const close = (which: number): Step => ({ does: 'close', which });

/** The first, the last and one between leave. */
const aCrowd: Step[] = [
  ...Array.from({ length: 10 }, () => open(0)),
  open(1),
  write(0),
  close(0),
  write(0),
  close(8),
  close(4),
  write(0),
  write(1),
];
const inTurns: Step[] = [
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

/** Short ones first: they are easier to read where they fail. */
export const examples: readonly (readonly Step[])[] = [
  [open(0), open(0), write(0)],
  [open(0), open(0), close(0), write(0)],
  [open(0), open(0), close(1), write(0)],
  [open(0), open(1), close(0), write(1)],
  inTurns,
  aCrowd,
];

/** Those that have just left may count for a while. */
const LEAVING_SECONDS = 5;

function opened(run: Run, patience: Patience, directory: string, seconds: number): Promise<Watch> {
  const ask = async (): Promise<Watch> => {
    const watch = await openWatch(run, directory, patience);
    if (isOneTooMany(watch)) await watch.close();
    return watch;
  };
  return eventually(ask, (watch) => !isOneTooMany(watch), seconds);
}

/** Sends the step, and has each watch of the directory hear of what is written. */
export async function take(
  run: Run,
  patience: Patience,
  { directories, watches }: Scene,
  taken: Step,
): Promise<StepResult> {
  if (taken.does === 'close') {
    const [leaving] = watches.splice(taken.which % Math.max(watches.length, 1), 1);
    await leaving?.close();
    return { exchanges: leaving === undefined ? [] : [{ leaves: leaving.stream }], mismatches: [] };
  }
  const directory = directories[taken.at] ?? '';
  if (taken.does === 'open') {
    const watch = await opened(run, patience, directory, watches.length === 0 ? LEAVING_SECONDS : 0);
    if (watches.length > 0 && isOneTooMany(watch)) return { exchanges: [], mismatches: [] };
    watches.push(watch);
    const mismatches = await goesLive(watch);
    return { exchanges: mismatches.length === 0 ? [{ opens: watch.stream }] : [], mismatches };
  }
  const names = Array.from({ length: taken.files }, (_, file) => `f${file}.txt`);
  const listening = watches.filter((watch) => watch.directory === directory);
  const { written, unheard } = await heardBy(listening, names, () => putTree(run, directory, freshFiles(names)));
  if (unheard.length === 0) for (const watch of listening) await fence(run, watch);
  return { exchanges: [written], mismatches: [...statusClass(written, '2xx'), ...unheard] };
}
