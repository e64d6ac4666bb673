/** sandbox.watch.*: watches report every modified file of their directory, and no other. */
import * as fc from 'fast-check';
import { counted } from '../../spec/counted.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Sent } from '../target/violation.ts';
import { statusClass } from '../expect/status.ts';
import { fileName } from '../generators/file-name.ts';
import { joinPath } from '../generators/file-tree.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import { examples, step, runStep } from './watcher-steps.ts';
import type { WatchContext, Step } from './watcher-steps.ts';
import { quoted } from '../kit/sandbox/listing.ts';
import { acceptedNames, farthestAbove, type AcceptedNames } from '../kit/sandbox/accepted-names.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { isLimit, putTree } from '../kit/sandbox/tree.ts';
import { limitedRuns } from './limited-runs.ts';
import { unusualWriteMismatches } from './unusual-writes.ts';
import { unreadWatchMismatches } from './unread-watch.ts';
import {
  fence,
  firstWatch,
  livenessMismatches,
  needReports,
  writeAndAwaitLines,
  openFurtherWatch,
  openWatch,
  patienceOf,
} from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { freshFiles, makeDirectories, needDirectories } from './watched-directories.ts';

const watchedPaths = ['a', 'a b/ü', 'lib.d/v1.2/日本', "x+y/p&q=r/it's"];

interface WatchedWrite {
  readonly names: readonly string[];
  /** How many levels above the watched directory the write is, if the sandbox accepts such names. */
  readonly above: number;
}

conforms('sandbox.watch.every-write-a-line', async (run) => {
  run.check((await firstWatch(run)).mismatches);
  const patience = patienceOf(run);
  const many = Array.from({ length: 30 }, (_, at) => `f${at}.txt`);
  const write = fc.record({
    names: fc.uniqueArray(fileName, { minLength: 1, maxLength: 4 }),
    above: fc.integer({ min: 0, max: 2 }),
  });
  await run.forAll(
    { watched: fc.constantFrom(...watchedPaths), writes: fc.array(write, { minLength: 1, maxLength: 4 }) },
    async (input) => missingLineMismatches(run, patience, input.watched, input.writes),
    {
      runs: limitedRuns(run, 4),
      examples: [
        { watched: 'a', writes: [{ names: ['f'], above: 0 }] },
        { watched: 'a', writes: [0, 0, 1, 0].map((above) => ({ names: ['f', 'größe.txt'], above })) },
        { watched: 'a b/ü', writes: [many, many.slice(10), many].map((names) => ({ names, above: 0 })) },
        { watched: 'a', writes: many.slice(0, 12).map((name) => ({ names: [name], above: 0 })) },
      ],
    },
  );
  await run.forEach(['unusual writes'], () => unusualWriteMismatches(run, patience));
});

async function missingLineMismatches(
  run: Run,
  patience: Patience,
  watchedPath: string,
  writes: readonly WatchedWrite[],
): Promise<Mismatch[]> {
  const accepted = await acceptedNames(run);
  const watched = accepted.directory(watchedPath);
  const top = await newWritableDirectory(run);
  await needDirectories(run, top, [watched]);
  const watch = await openWatch(run, `${top}/${watched}`, patience);
  try {
    const silent = await livenessMismatches(watch);
    if (silent.length > 0) return silent;
    const before: Sent[] = [{ opens: watch.stream }];
    const writtenNames = new Set<string>();
    for (const { names: fileNames, above } of writes) {
      const names = Object.keys(accepted.files(freshFiles(fileNames)));
      // Lines of an earlier write of the same file must not count for this one.
      if (names.some((name) => writtenNames.has(name))) await fence(run, watch);
      for (const name of names) writtenNames.add(name);
      const { written, missingLines: unreported } = await writeAndAwaitLines(run, [watch], names, () =>
        writeFrom(run, watch, above, names, accepted),
      );
      if (isLimit(written))
        return run.skipInput(`a sandbox that accepts this write of ${counted(names.length, 'file')}`);
      const found = [...statusClass(written, '2xx'), ...unreported];
      if (found.length > 0) return found.map((each) => ({ ...each, before }));
      before.push(written);
    }
    return [];
  } finally {
    await watch.close();
  }
}

/**
 * Writes from that parent directory, or from the farthest one from which the sandbox accepts the names. Also writes a file in it,
 * which need not be reported.
 */
function writeFrom(
  run: Run,
  { directory }: Watch,
  above: number,
  names: readonly string[],
  accepted: AcceptedNames,
): Promise<Exchange> {
  const from = farthestAbove(accepted, directory, above);
  const below = directory.slice(from.length + 1);
  const otherFiles = below === '' ? [] : ['beside.txt'];
  const paths = [...names.map((name) => joinPath(below, name)), ...otherFiles];
  return putTree(run, from, accepted.files(freshFiles(paths)));
}

/** Names that begin with one another, and directories above and below others. */
const neighbours = ['a', 'ab', 'a-b', 'a b', 'b', 'a/b', 'a/bc', 'a/b/a', 'ab/b', 'b/a'];
/** Each neighbour once. */
const watchedTogether = [
  ['a', 'ab'],
  ['a/b', 'a-b'],
  ['b', 'a/bc'],
  ['a b', 'a/b/a'],
  ['ab/b', 'b/a'],
];

conforms('sandbox.watch.only-its-directory', async (run) => {
  await needReports(run);
  const patience = patienceOf(run);
  await run.forAll(
    { directories: fc.shuffledSubarray(neighbours, { minLength: 2, maxLength: 3 }) },
    async ({ directories }) => foreignLineMismatches(run, patience, directories),
    {
      runs: limitedRuns(run, 1),
      examples: watchedTogether.map((directories) => ({ directories: [...directories] })),
    },
  );
});

/**
 * Watches the directories, writes one file to each of them and one to every neighbour in a single write, and returns lines
 * about other directories.
 */
async function foreignLineMismatches(run: Run, patience: Patience, watched: readonly string[]): Promise<Mismatch[]> {
  const accepted = await acceptedNames(run);
  const [directories = [], all = []] = [watched, neighbours].map((paths) => paths.map(accepted.directory));
  const top = await newWritableDirectory(run);
  await needDirectories(run, top, all);
  const watches: Watch[] = [];
  try {
    for (const directory of directories) {
      const watch = await openFurtherWatch(run, `${top}/${directory}`, patience);
      if (watch !== undefined) watches.push(watch);
      else if (watches.length >= 2) return []; // Others are of two.
    }
    run.need(
      watches.length === directories.length && watches.every(({ isLive }) => isLive),
      'two watches that tell of files in their directories',
    );
    const written: Written[] = [];
    for (const [at, { directory }] of watches.entries()) {
      const name = `alone-${at}-.txt`;
      written.push({ directory, name, exchange: await putTree(run, directory, freshFiles([name])) });
    }
    const together = all.map((directory, at) => ({ directory, name: `together-${at}-.txt` }));
    const files = freshFiles(together.map(({ directory, name }) => `${directory}/${name}`));
    const exchange = await putTree(run, top, accepted.files(files));
    written.push(...together.map(({ directory, name }) => ({ directory: `${top}/${directory}`, name, exchange })));
    for (const watch of watches) await fence(run, watch);
    const before = watches.map(({ stream }) => ({ opens: stream }));
    return foreignLines(watches, written).map((each) => ({ ...each, before }));
  } finally {
    for (const watch of watches) await watch.close();
  }
}

interface Written {
  readonly directory: string;
  readonly name: string;
  readonly exchange: Exchange;
}

/** Directories below the watched one are not foreign: the depth of a watch is not documented (decision 024). */
function foreignLines(watches: readonly Watch[], written: readonly Written[]): Mismatch[] {
  return watches.flatMap((watch) => {
    const foreign = written.filter((file) => !`${file.directory}/`.startsWith(`${watch.directory}/`));
    const reported = foreign.filter(({ name }) => watch.text().includes(name));
    return reported.map((file) => ({
      expected: `nothing of ${quoted(file.directory)} from the watch of ${quoted(watch.directory)}`,
      actual: `a line with ${quoted(file.name)}`,
      exchange: file.exchange,
      stream: watch.stream,
    }));
  });
}

/** Of the first two, one name begins with the other. */
const watchedBySteps = ['watched', 'watched-too', 'other'];

conforms('sandbox.watch.watchers-independent', async (run) => {
  const patience = patienceOf(run);
  const openWatches: Watch[] = [];
  const closeWatches = async () => {
    for (const watch of openWatches.splice(0)) await watch.close();
  };
  try {
    await forAllSequences<Step, WatchContext>(run, {
      step,
      start: async () => {
        await closeWatches();
        const top = await newWritableDirectory(run);
        const created = await makeDirectories(run, top, watchedBySteps);
        run.need(!isLimit(created), 'a tree write that is accepted');
        // Watches that have closed must not affect writes.
        run.check(statusClass(created, '2xx'));
        const directories = watchedBySteps.map((name) => `${top}/${name}`);
        return { model: { directories, watches: openWatches }, exchanges: [created] };
      },
      runStep: (scene, nextStep) => runStep(run, patience, scene, nextStep),
      runs: limitedRuns(run, 2),
      examples,
    });
  } finally {
    await closeWatches();
  }
  await run.forEach(['a watch that nobody reads'], () => unreadWatchMismatches(run));
});
