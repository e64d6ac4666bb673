/** A watch that nobody reads, which must hold up neither writes nor other watches. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import type { Exchange, Stream } from '../target/client.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { mayBeTooMany, putTree } from '../kit/sandbox/tree.ts';
import { openWatch, patienceOf, watching } from './watch.ts';
import type { Watch } from './watch.ts';

/** More than the buffers on the way to a client take before the server notices that it does not read. */
const ENOUGH_BYTES = 6_000_000;
const MOST_ROUNDS = 100;
const NAME_LENGTH = 200;
const FILES = 50;
/** Long paths make long lines. Fewer directories where the target does not take so long a path. */
const DEPTHS = [14, 4, 0];
/** Of a write; an answer that never comes would be trouble of the network, whose fault it is not. */
const LONGEST_WRITE_SECONDS = 10;

export async function besideAnUnreadWatch(run: Run): Promise<Mismatch[]> {
  const directory = await longDirectory(run);
  const opening = run.client.open('watchDirectory', watching(directory), { unread: true });
  opening.catch(() => {}); // who awaits it below is told; it may fail before
  try {
    // Its first writes also bring the head of the unread one, where a target sends that with the first line only.
    const patience = patienceOf(run);
    const watch = await openWatch(run, directory, patience);
    try {
      run.need(watch.isLive && (await opening).status === 200, 'two watches of one directory');
      return await floodedBeside(run, await opening, watch, Math.min(LONGEST_WRITE_SECONDS, patience.seconds));
    } finally {
      await watch.close();
    }
  } finally {
    await opening.then((unread) => unread.close());
  }
}

/** Writes until more lines are on their way to the unread watch than fit there, each within the seconds. */
async function floodedBeside(run: Run, unread: Stream, watch: Watch, seconds: number): Promise<Mismatch[]> {
  const names = Array.from({ length: FILES }, (_, at) => String(at).padEnd(NAME_LENGTH, 'f'));
  const rounds = Math.ceil(ENOUGH_BYTES / (FILES * (watch.directory.length + NAME_LENGTH)));
  for (let round = 1; round <= Math.min(rounds, MOST_ROUNDS); round += 1) {
    const last = `round-${round}.txt`;
    const put = putTree(
      run,
      watch.directory,
      Object.fromEntries([...names, last].map((name) => [name, String(round)])),
    );
    if ((await Promise.race([put, wait(seconds * 1000, undefined, { ref: false })])) === undefined) {
      await unread.close();
      return [heldUp(await put, `an answer within ${seconds} s`)];
    }
    // More than it takes in one write.
    if (round === 1 && mayBeTooMany(await put, names.length)) return [];
    const refused = statusClass(await put, '2xx');
    if (refused.length > 0) return refused;
    const isHeard = await watch.until(() => watch.text().lastIndexOf(last) >= 0);
    if (!isHeard) return [heldUp(await put, `a line with ${last} from another watch`)];
  }
  return [];
}

async function longDirectory(run: Run): Promise<string> {
  const top = await newWritableDirectory(run);
  for (const depth of DEPTHS) {
    const names = Array.from({ length: depth }, (_, at) => String(at).padEnd(NAME_LENGTH, 'd'));
    const directory = [top, ...names].join('/');
    if (isSuccessful(await putTree(run, directory, { 'first.txt': 'x' }))) return directory;
  }
  return run.need(undefined, 'a tree write that is accepted');
}

function heldUp(exchange: Exchange, expected: string): Mismatch {
  return { expected: `${expected} while somebody watches without reading`, actual: 'none', exchange };
}
