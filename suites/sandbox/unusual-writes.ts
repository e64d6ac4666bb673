/** Unusual writes, which a watch must report like any other. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import { unusualFileNames } from '../generators/file-name.ts';
import type { Exchange } from '../target/client.ts';
import type { Sent } from '../target/violation.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, livenessMismatches, writeAndAwaitLines, openWatch } from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { freshFiles, needDirectories } from './watched-directories.ts';
import { writersOf } from './writers.ts';
import type { Writer } from './writers.ts';

/** A write of one file. */
interface UnusualWrite {
  readonly name: string;
  readonly send: (directory: string) => Promise<Exchange>;
  /** A refusal is not a mismatch. */
  readonly mayBeRefused?: boolean;
}

/** Far below the usual idle timeout of gateways. */
const SILENCE_SECONDS = 5;

/** The longest one last. */
export async function unusualWriteMismatches(run: Run, patience: Patience): Promise<Mismatch[]> {
  const writers = await writersOf(run);
  const top = await newWritableDirectory(run);
  await needDirectories(run, top, ['watched']);
  const watch = await openWatch(run, `${top}/watched`, patience);
  try {
    const silent = await livenessMismatches(watch);
    if (silent.length > 0) return silent;
    const before: Sent[] = [{ opens: watch.stream }];
    const writes = [
      ...unusuallyNamedWrites(run),
      ...emptying(run),
      ...writers.map((writer) => writeBy(run, writer)),
      afterSilence(run),
    ];
    const names = new Set<string>();
    for (const each of writes) {
      // Lines of an earlier write of the same file must not count for this one.
      if (names.has(each.name)) await fence(run, watch);
      names.add(each.name);
      const { written, found } = await checkReported(run, watch, each);
      if (found.length > 0) return found.map((mismatch) => ({ ...mismatch, before }));
      before.push(written);
    }
    return [];
  } finally {
    await watch.close();
  }
}

async function checkReported(run: Run, watch: Watch, { name, send, mayBeRefused = false }: UnusualWrite) {
  const { written, missingLines: unreported } = await writeAndAwaitLines(run, [watch], [name], () =>
    send(watch.directory),
  );
  const refused = mayBeRefused && isRefused(written) ? [] : statusClass(written, '2xx');
  return { written, found: [...refused, ...unreported] };
}

/** Watchers commonly ignore hidden files (decision 049). */
const unusuallyNamedWrites = (run: Run): UnusualWrite[] =>
  unusualFileNames
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({
      name,
      send: (directory) => putTree(run, directory, freshFiles([name])),
      mayBeRefused: true,
    }));

function emptying(run: Run): UnusualWrite[] {
  const name = 'emptied.txt';
  return [
    { name, send: (directory) => putTree(run, directory, freshFiles([name])) },
    { name, send: (directory) => putTree(run, directory, { [name]: '' }), mayBeRefused: true },
  ];
}

/** May be refused: an earlier success does not guarantee access. */
function writeBy(run: Run, { client, variant: { caller, header } }: Writer): UnusualWrite {
  const name = `by-${caller}-${header}.txt`.toLowerCase();
  return {
    name,
    send: (directory) => putTree(run, directory, freshFiles([name]), client),
    mayBeRefused: true,
  };
}

function afterSilence(run: Run): UnusualWrite {
  const name = `after-${SILENCE_SECONDS}-silent-seconds.txt`;
  return {
    name,
    send: async (directory) => {
      await wait(SILENCE_SECONDS * 1000);
      return putTree(run, directory, freshFiles([name]));
    },
  };
}
