/** A watch whose client does not read must not block writes or other watches. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import type { Exchange, Stream } from '../target/client.ts';
import { resolvesWithin } from '../kit/resolves-within.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { mayBeTooMany, putTree } from '../kit/sandbox/tree.ts';
import { openFurtherWatch, openStream, patienceOf, undefinedIfTooMany } from './watch.ts';
import type { Watch } from './watch.ts';
import { describeLines } from './watch-lines.ts';

/** More than all buffers between server and client can hold. */
const FLOOD_BYTES = 6_000_000;
const MAX_ROUNDS = 100;
const NAME_LENGTH = 200;
/** Per write. Fewer if the target refuses so many. */
const FILES = 200;
const FEWER_FILES = 50;
/** Long paths produce long lines. Fewer directories if the target refuses long paths. */
const DEPTHS = [14, 4, 0];
/** Timeout of a write. Longer than this, a missing response would count as a network error. */
const MAX_WRITE_SECONDS = 10;

const TWO_WATCHES = 'two watches of one directory';

export async function unreadWatchMismatches(run: Run): Promise<Mismatch[]> {
  const directory = await longDirectory(run);
  const opening = undefinedIfTooMany(openStream(run, directory, {}, { unread: true }));
  opening.catch(() => {}); // awaited below; it may fail earlier
  try {
    // The first writes of this watch also trigger the response headers of the unread one, if they arrive with the first line.
    const patience = patienceOf(run);
    const watch = run.need(await openFurtherWatch(run, directory, patience), TWO_WATCHES);
    try {
      const unread = run.need(watch.isLive ? await opening : undefined, TWO_WATCHES);
      run.need(unread.status === 200, TWO_WATCHES);
      return await floodMismatches(run, unread, watch, Math.min(MAX_WRITE_SECONDS, patience.seconds));
    } finally {
      await watch.close();
    }
  } finally {
    await opening.then((unread) => unread?.close());
  }
}

/** Writes until the lines for the unread watch exceed all buffers. Each write must complete within `seconds`. */
async function floodMismatches(
  run: Run,
  unread: Stream,
  watch: Watch,
  seconds: number,
  fileCount = FILES,
): Promise<Mismatch[]> {
  const names = Array.from({ length: fileCount }, (_, at) => `${String(at).padEnd(NAME_LENGTH - 4, 'f')}.txt`);
  const rounds = Math.ceil(FLOOD_BYTES / (fileCount * (watch.directory.length + NAME_LENGTH)));
  for (let round = 1; round <= Math.min(rounds, MAX_ROUNDS); round += 1) {
    const last = `round-${round}.txt`;
    const write = (): Promise<Exchange> =>
      putTree(run, watch.directory, Object.fromEntries([...names, last].map((name) => [name, String(round)])));
    const put = write();
    if (!(await resolvesWithin(put, seconds))) {
      await unread.close();
      const late = await put;
      const start = performance.now();
      await write();
      const isSlow = performance.now() - start > (seconds * 1000) / 4;
      run.need(!isSlow, `a sandbox that responds to such a write within ${seconds / 4} s`);
      return [blockedMismatch(late, `a response within ${seconds} s`, `status ${late.response.status} after that`)];
    }
    // More files than the target accepts in one write, or has space for.
    if (mayBeTooMany(await put, names.length))
      return round > 1 || fileCount === FEWER_FILES ? [] : floodMismatches(run, unread, watch, seconds, FEWER_FILES);
    const refused = statusClass(await put, '2xx');
    if (refused.length > 0) return refused;
    const isReported = await watch.until(() => watch.text().lastIndexOf(last) >= 0);
    if (!isReported) {
      const expected = `a line with ${last} from another watch`;
      return [{ ...blockedMismatch(await put, expected, describeLines(watch.text(), last)), stream: watch.stream }];
    }
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

function blockedMismatch(exchange: Exchange, expected: string, actual: string): Mismatch {
  return { expected: `${expected} while another client holds a watch open without reading`, actual, exchange };
}
