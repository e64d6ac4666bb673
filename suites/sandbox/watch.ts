/**
 * Watches directories of a sandbox: opens a watch, makes sure that it is live, and waits for the lines it must send.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import type { Exchange, Stream } from '../target/client.ts';
import type { StreamOptions } from '../target/stream.ts';
import type { CallInput } from '../target/request-types.ts';
import { resolvesWithin } from '../kit/resolves-within.ts';
import { quoted } from '../kit/sandbox/listing.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { TooManyRequestsError } from '../target/transport.ts';

/**
 * How long to wait for a line. Once a line did not arrive, later waits take only ten times as long as the slowest line so
 * far, because shrinking repeats them often.
 */
export interface Patience {
  seconds: number;
  slowestSeconds: number;
}

/** Lines need time to arrive, even if writes take effect immediately. */
const MIN_PATIENCE_SECONDS = 2;

export const patienceOf = ({ patienceSeconds }: Run): Patience => ({
  seconds: Math.max(MIN_PATIENCE_SECONDS, patienceSeconds),
  slowestSeconds: 0.03,
});

function learn(patience: Patience, isReported: boolean, elapsedSeconds: number): void {
  if (isReported) patience.slowestSeconds = Math.max(patience.slowestSeconds, elapsedSeconds);
  else patience.seconds = Math.min(patience.seconds, patience.slowestSeconds * 10);
}

export interface Watch {
  readonly directory: string;
  readonly stream: Stream;
  /** False if its status is not 200, or if it reported no write before the timeout. */
  readonly isLive: boolean;
  /** The last write that was sent to find out whether the watch is live. */
  readonly sentinel: Exchange | undefined;
  /** Everything received so far. */
  text(): string;
  /** How many lines so far are the path of that file in the directory. */
  count(name: string): number;
  /** Waits until the condition holds. Returns false at the timeout. */
  until(holds: () => boolean): Promise<boolean>;
  close(): Promise<Exchange>;
}

/** How long to wait for the response headers before writing files: they may arrive only with the first line. */
const HEAD_SECONDS = 0.2;
const FIRST_PAUSE_SECONDS = 0.05;
const MAX_PAUSE_SECONDS = 1;

/** The response is text, or JSON for an error. */
export function watching(directory: string, query: Record<string, string> = {}): CallInput {
  return { path: { path: directory }, query, headers: { Accept: '*/*' } };
}

/** Opens a watch of an existing directory and writes files there until a line proves that the watch is live. */
export async function openWatch(
  run: Run,
  directory: string,
  patience: Patience,
  query: Record<string, string> = {},
): Promise<Watch> {
  let stream: Stream | undefined;
  const opening = openStream(run, directory, query).then((open) => (stream = open));
  try {
    await resolvesWithin(opening, HEAD_SECONDS);
    const start = performance.now();
    const begun = await becomesLive(run, directory, () => stream, patience);
    const opened = await opening;
    // A refused watch says nothing about how long lines take.
    if (opened.status === 200) learn(patience, begun.isLive, (performance.now() - start) / 1000);
    return watchOf(directory, opened, begun, patience);
  } catch (error) {
    void opening.then((open) => open.close()).catch(() => {}); // the reason it did not open is already thrown
    throw error;
  }
}

/** 429 to a watch, which is an error of the transport: there may be too many watches (decision 049). */
class TooManyWatchesError extends TooManyRequestsError {}

/** Throws an error for 429, which `undefinedIfTooMany` catches. */
export async function openStream(
  run: Run,
  directory: string,
  query: Record<string, string> = {},
  options: StreamOptions = {},
): Promise<Stream> {
  try {
    return await run.client.open('watchDirectory', watching(directory, query), options);
  } catch (error) {
    if (error instanceof TooManyRequestsError) throw new TooManyWatchesError(error.message, { cause: error });
    throw error;
  }
}

/** Undefined if the watch was refused with 429. Other requests with that status are errors. */
export async function undefinedIfTooMany<Opened extends Watch | Stream>(
  opening: Promise<Opened>,
): Promise<Opened | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof TooManyWatchesError) return undefined;
    throw error;
  }
}

/** Undefined if the target refuses a watch besides others because there are too many (decision 049). */
export async function openFurtherWatch(run: Run, directory: string, patience: Patience): Promise<Watch | undefined> {
  const watch = await undefinedIfTooMany(openWatch(run, directory, patience));
  if (watch === undefined || !exceedsWatchLimit(watch)) return watch;
  await watch.close();
  return undefined;
}

type Begun = Pick<Watch, 'isLive' | 'sentinel'>;

async function becomesLive(
  run: Run,
  directory: string,
  streamOf: () => Stream | undefined,
  patience: Patience,
): Promise<Begun> {
  const end = performance.now() + patience.seconds * 1000;
  const written: string[] = [];
  let sentinel: Exchange | undefined;
  const isReported = (text: string) => written.some((name) => countIn(text, directory, name) > 0);
  for (let pause = FIRST_PAUSE_SECONDS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_SECONDS)) {
    if ((streamOf()?.status ?? 200) !== 200) return { isLive: false, sentinel };
    const name = nextSentinel();
    written.push(name);
    sentinel = await putTree(run, directory, { [name]: 'x' });
    const stream = streamOf();
    if (stream === undefined) await wait(pause * 1000);
    else if (await stream.until(isReported, pause)) return { isLive: true, sentinel };
    if (stream?.ended() === true || performance.now() > end) return { isLive: false, sentinel };
  }
}

let sentinelsWritten = 0;
const nextSentinel = (): string => `sentinel-${(sentinelsWritten += 1)}.txt`;

function watchOf(directory: string, stream: Stream, begun: Begun, patience: Patience): Watch {
  async function until(holds: () => boolean): Promise<boolean> {
    const start = performance.now();
    const isReported = await stream.until(holds, patience.seconds);
    learn(patience, isReported, (performance.now() - start) / 1000);
    return isReported;
  }
  return {
    directory,
    stream,
    ...begun,
    text: () => stream.text(),
    count: (name) => countIn(stream.text(), directory, name),
    until,
    close: () => stream.close(),
  };
}

/**
 * Writes a new file and waits for its line in watches of one directory. The lines of earlier writes have arrived by then.
 */
export async function fence(run: Run, watch: Watch, ...others: readonly Watch[]): Promise<void> {
  const name = nextSentinel();
  await putTree(run, watch.directory, { [name]: 'x' });
  await Promise.all([watch, ...others].map((each) => each.until(() => each.count(name) > 0)));
}

function countIn(text: string, directory: string, name: string): number {
  return text.split(/\r?\n/).filter((line) => isPathOf(line.normalize('NFC'), directory.normalize('NFC'), name)).length;
}

/** Accepts an absolute path, or one relative to the directory or to a parent of it, which may be a symbolic link. */
export function isPathOf(line: string, directory: string, name: string): boolean {
  if (line === name || line === `./${name}`) return true;
  const end = `${directory.slice(directory.lastIndexOf('/') + 1)}/${name}`;
  const before = line.slice(0, -end.length);
  if (!line.endsWith(end) || (before !== '' && !before.endsWith('/'))) return false;
  return /^[./]/.test(before) || `${directory}/`.startsWith(before) || isThroughLink(line, directory, name);
}

/** A relative path in which the first directory is replaced by its link target. Plain names only, so that no sentence matches. */
function isThroughLink(line: string, directory: string, name: string): boolean {
  const end = `${directory.slice(directory.indexOf('/'))}/${name}`;
  return line.endsWith(end) && /^[\w.-]+(?:\/[\w.-]+)*$/.test(line.slice(0, -end.length));
}

/** The limit of concurrent watches is undocumented, and so is the status beyond it (decision 049). */
const WATCH_LIMIT_STATUSES: ReadonlySet<number> = new Set([403, 409, 503]);

/** Whether a watch was refused because there are too many. */
export const exceedsWatchLimit = ({ stream }: Watch): boolean => WATCH_LIMIT_STATUSES.has(stream.status);

/** Closes the watch if it is not live. */
export async function livenessMismatches(watch: Watch): Promise<Mismatch[]> {
  if (watch.isLive) return [];
  const opened = await watch.close();
  const wrongStatus = status(opened, 200);
  if (wrongStatus.length > 0) return wrongStatus;
  const exchange = watch.sentinel ?? opened;
  const before = exchange === opened ? [] : [{ opens: watch.stream }];
  return [{ expected: 'a line for a file that is written while connected', actual: 'none', exchange, before }];
}

/** Writes files and waits until each watch of their directory has one more line per file. Returns the missing lines. */
export async function writeAndAwaitLines(
  watches: readonly Watch[],
  names: readonly string[],
  write: () => Promise<Exchange>,
): Promise<{ written: Exchange; missingLines: Mismatch[] }> {
  const before = watches.map((watch) => names.map((name) => watch.count(name)));
  const written = await write();
  if (!isSuccessful(written)) return { written, missingLines: [] };
  const missing = await Promise.all(
    watches.map(async (watch, at) => {
      const lacking = () => names.filter((name, file) => watch.count(name) <= (before[at]?.[file] ?? 0));
      await watch.until(() => lacking().length === 0);
      return lacking().map((name) => ({
        expected: `a line with the path of ${quoted(name)} from the watch of its directory`,
        actual: `none${watch.count(name) === 0 ? '' : ' for this write'}${watch.stream.ended() ? ': it has ended' : ''}`,
        exchange: written,
      }));
    }),
  );
  return { written, missingLines: missing.flat() };
}
