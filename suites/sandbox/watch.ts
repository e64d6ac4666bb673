/**
 * Watches directories of a sandbox: opens a watch, makes sure that it is live, and waits for the lines it must send.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eventually, isSuccessful, noteWait } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import type { Exchange, Stream } from '../target/client.ts';
import type { StreamOptions } from '../target/stream.ts';
import { resolvesWithin } from '../kit/resolves-within.ts';
import { quoted } from '../kit/sandbox/listing.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { watchInput } from '../kit/sandbox/watch-path.ts';
import { RequestLimitError, TooManyRequestsError } from '../target/transport.ts';
import { countLines, describeLines, type LineForm } from './watch-lines.ts';
import { needDirectories } from './watched-directories.ts';

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
  readonly patience: Patience;
  /** False if its status is not 200, or if it reported no write before the timeout. */
  readonly isLive: boolean;
  /** The last write that was sent to find out whether the watch is live. */
  readonly sentinel: Sentinel | undefined;
  /** Everything received so far. */
  text(): string;
  /** How many lines so far report that file of the directory. */
  count(name: string): number;
  /** Waits until the condition holds. Returns false at the timeout. Defaults to the patience of the rule. */
  until(holds: () => boolean, seconds?: number): Promise<boolean>;
  close(): Promise<Exchange>;
}

interface Sentinel {
  readonly name: string;
  readonly written: Exchange;
}

/** How long to wait for the response headers before writing files: they may arrive only with the first line. */
const HEAD_SECONDS = 0.2;
const FIRST_PAUSE_SECONDS = 0.05;
const MAX_PAUSE_SECONDS = 1;
/** A line that has not arrived by then will not arrive if the same watch has sent one for a later write. */
const OVERTAKEN_SECONDS = 5;

/**
 * Opens a watch of an existing directory and writes files there until a line proves that the watch is live: how soon it
 * reports is not documented, whatever other watches report. Throws NotTried if the first watch of the run reported nothing.
 */
export async function openWatch(
  run: Run,
  directory: string,
  patience: Patience,
  query: Record<string, string> = {},
): Promise<Watch> {
  const form = await needReports(run);
  const { isHeadEarly } = await firstWatch(run);
  const isReported = (text: string, { name }: Sentinel): boolean => countLines(text, form, directory, name) > 0;
  const start = performance.now();
  const { stream, sentinels, outcome } = await writeUntil(
    run,
    directory,
    limits(patience, isHeadEarly),
    query,
    (text, all) => all.some((each) => isReported(text, each)) || undefined,
  );
  const isLive = outcome === true;
  // A refused watch says nothing about how long lines take.
  if (stream.status === 200) learn(patience, isLive, (performance.now() - start) / 1000);
  async function until(holds: () => boolean, seconds: number = patience.seconds): Promise<boolean> {
    const begin = performance.now();
    const isReached = await stream.until(holds, Math.min(seconds, patience.seconds));
    if (isReached || seconds >= patience.seconds) learn(patience, isReached, (performance.now() - begin) / 1000);
    return isReached;
  }
  return {
    directory,
    stream,
    patience,
    isLive,
    sentinel: sentinels.at(-1),
    text: () => stream.text(),
    count: (name) => countLines(stream.text(), form, directory, name),
    until,
    close: () => stream.close(),
  };
}

interface OpenLimits {
  /** How long to wait for the response headers before writing files. */
  readonly headSeconds: number;
  readonly seconds: number;
}

const limits = ({ seconds }: Patience, isHeadEarly: boolean): OpenLimits => ({
  headSeconds: isHeadEarly ? HEAD_SECONDS : 0,
  seconds,
});

interface WrittenWatch<Outcome> {
  readonly stream: Stream;
  /** Whether the response headers arrived before a file was written. */
  readonly isHeadEarly: boolean;
  readonly sentinels: readonly Sentinel[];
  /** Undefined if the watch was refused or has ended, or at the timeout. */
  readonly outcome: Outcome | undefined;
}

/** Opens a watch and writes files to its directory until `decide` returns something for its text. */
async function writeUntil<Outcome>(
  run: Run,
  directory: string,
  { headSeconds, seconds }: OpenLimits,
  query: Record<string, string>,
  decide: (text: string, sentinels: readonly Sentinel[]) => Outcome | undefined,
): Promise<WrittenWatch<Outcome>> {
  let open: Stream | undefined;
  const opening = openStream(run, directory, query).then((stream) => (open = stream));
  const streamSoFar = (): Stream | undefined => open;
  const sentinels: Sentinel[] = [];
  const start = performance.now();
  /** Without the writes, which may wait for the rate limit. */
  let waitedSeconds = 0;
  let outcome: Outcome | undefined;
  try {
    const isHeadEarly = await resolvesWithin(opening, headSeconds);
    for (let pause = FIRST_PAUSE_SECONDS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_SECONDS)) {
      if ((streamSoFar()?.status ?? 200) !== 200) break;
      const name = nextSentinel();
      sentinels.push({ name, written: await putTree(run, directory, { [name]: 'x' }) });
      const stream = streamSoFar();
      if (stream === undefined) await wait(pause * 1000);
      else await stream.until((text) => (outcome ??= decide(text, sentinels)) !== undefined, pause);
      waitedSeconds += pause;
      if (outcome !== undefined || stream?.ended() === true || waitedSeconds > seconds) break;
    }
    if (outcome === undefined) noteWait(sentinels.at(-1)?.written, (performance.now() - start) / 1000);
    return { stream: await opening, isHeadEarly, sentinels, outcome };
  } catch (error) {
    void opening.then((stream) => stream.close()).catch(() => {}); // the reason it did not open is already thrown
    throw error;
  }
}

/** 429 to a watch, which the transport throws: there may be too many watches (decision 049). */
class TooManyWatchesError extends RequestLimitError {}

/** Throws an error for 429, which `undefinedIfTooMany` catches. */
export async function openStream(
  run: Run,
  directory: string,
  query: Record<string, string> = {},
  options: StreamOptions = {},
): Promise<Stream> {
  try {
    return await run.client.open('watchDirectory', await watchInput(run, directory, query), options);
  } catch (error) {
    if (error instanceof TooManyRequestsError) throw new TooManyWatchesError(error.message, { cause: error });
    throw error;
  }
}

/** Undefined if the watch was refused with 429. */
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

/** What the first watch of a run shows about all of them. */
export interface FirstWatch {
  readonly opened: Exchange;
  /** Whether the response headers arrive before the first line. */
  readonly isHeadEarly: boolean;
  /** Undefined if no line named a file. */
  readonly form: LineForm | undefined;
  /** A file that it should have reported, or did report. */
  readonly name: string;
  /** Why it is not a watch as documented. */
  readonly mismatches: readonly Mismatch[];
}

const firstWatches = sharedValue<FirstWatch>({ keepsErrors: false });

/** Opened once per run: what is certain after it needs no further waiting in other rules. */
export const firstWatch = (run: Run): Promise<FirstWatch> =>
  firstWatches.get(run, () =>
    eventually(
      () => lookAtFirst(run),
      ({ opened }) => !WATCH_LIMIT_STATUSES.has(opened.response.status),
      LEAVING_SECONDS,
    ),
  );

async function lookAtFirst(run: Run): Promise<FirstWatch> {
  const top = await newWritableDirectory(run);
  const directory = `${top}/first`;
  await needDirectories(run, top, ['first']);
  const count = (text: string, form: LineForm, { name }: Sentinel) => countLines(text, form, directory, name);
  const named = (text: string, all: readonly Sentinel[]) => all.filter((each) => count(text, 'other text', each) > 0);
  const { stream, isHeadEarly, sentinels, outcome } = await writeUntil(
    run,
    directory,
    limits(patienceOf(run), true),
    {},
    (text, all) => {
      if (all.some((each) => count(text, 'paths', each) > 0)) return 'paths' as const;
      // After the second one in another form, no path is to be expected.
      return named(text, all).length > 1 ? ('other text' as const) : undefined;
    },
  );
  const opened = await stream.close();
  const { text } = opened.response;
  const reported = named(text, sentinels);
  const form = outcome ?? (reported.length > 0 ? 'other text' : undefined);
  const { name, written } = reported[0] ?? sentinels.at(-1) ?? { name: '', written: opened };
  const expected = `a line with only the path of ${quoted(name)}, which is written while connected`;
  const before = [{ opens: stream }];
  const noPath = { expected, actual: describeLines(text, name), exchange: written, before, stream };
  const wrongStatus = status(opened, 200);
  const mismatches = wrongStatus.length > 0 ? wrongStatus : form === 'paths' ? [] : [noPath];
  return { opened, isHeadEarly, form, name, mismatches };
}

/** The form of lines. Throws NotTried if the first watch reported no file, which is a failure of another rule. */
export async function needReports(run: Run): Promise<LineForm> {
  const { form, mismatches } = await firstWatch(run);
  const cause = mismatches.map(({ actual }) => actual).join('; ');
  return run.need(form, `a watch that reports files (sandbox.watch.every-write-a-line: ${cause})`);
}

let sentinelsWritten = 0;
const nextSentinel = (): string => `sentinel-${(sentinelsWritten += 1)}.txt`;

/** Writes a new file to the directory of a watch. Returns its name. */
async function writeSentinel(run: Run, directory: string): Promise<string> {
  const name = nextSentinel();
  await putTree(run, directory, { [name]: 'x' });
  return name;
}

/**
 * Writes a new file and waits for its line in watches of one directory. The lines of earlier writes have arrived by then.
 */
export async function fence(run: Run, watch: Watch, ...others: readonly Watch[]): Promise<void> {
  const name = await writeSentinel(run, watch.directory);
  await Promise.all([watch, ...others].map((each) => each.until(() => each.count(name) > 0)));
}

/** The limit of concurrent watches is undocumented, and so is the status beyond it (decision 049). */
export const WATCH_LIMIT_STATUSES: ReadonlySet<number> = new Set([400, 403, 409, 422, 503]);
/** Recently closed watches may still count towards the limit. */
export const LEAVING_SECONDS = 5;

/** Whether a watch was refused because there are too many. */
export const exceedsWatchLimit = ({ stream }: Watch): boolean => WATCH_LIMIT_STATUSES.has(stream.status);

/** Closes the watch if it is not live. */
export async function livenessMismatches(watch: Watch): Promise<Mismatch[]> {
  if (watch.isLive) return [];
  const opened = await watch.close();
  const wrongStatus = status(opened, 200);
  if (wrongStatus.length > 0) return wrongStatus;
  const { sentinel } = watch;
  const sent =
    sentinel === undefined
      ? { exchange: opened }
      : { exchange: sentinel.written, before: opens(watch), stream: watch.stream };
  const expected = 'a line for a file that is written while connected';
  return [{ expected, actual: describeLines(watch.text(), sentinel?.name ?? ''), ...sent }];
}

const opens = ({ stream }: Watch) => [{ opens: stream }];

/** A watch may report a file only once in this time (decision 049). */
const MIN_GAP_MS = 500;

/** When lines for the files of a run have arrived last, by path. */
const reportTimes = sharedValue<Map<string, number>>();

/** Writes files and waits until each watch of their directory has one more line per file. Returns the missing lines. */
export async function writeAndAwaitLines(
  run: Run,
  watches: readonly Watch[],
  names: readonly string[],
  write: () => Promise<Exchange>,
): Promise<{ written: Exchange; missingLines: Mismatch[] }> {
  const times = await reportTimes.get(run, async () => new Map());
  const paths = watches.flatMap(({ directory }) => names.map((name) => `${directory}/${name}`));
  const lastMs = Math.max(...paths.map((each) => times.get(each) ?? -Infinity));
  await wait(Math.max(0, lastMs + MIN_GAP_MS - performance.now()));
  const awaited = watches.map((watch) => {
    const before = names.map((name) => watch.count(name));
    const textBefore = watch.text().length;
    const missing = () => names.filter((name, at) => watch.count(name) <= (before[at] ?? 0));
    return { watch, missing, newText: () => watch.text().slice(textBefore) };
  });
  const written = await write();
  if (!isSuccessful(written)) return { written, missingLines: [] };
  const start = performance.now();
  await untilCertain(run, awaited);
  const waitedSeconds = (performance.now() - start) / 1000;
  for (const each of paths) times.set(each, performance.now());
  const missingLines = awaited.flatMap(({ watch, missing, newText }) =>
    missing().map((name) => ({
      expected: `a line with the path of ${quoted(name)} from the watch of its directory`,
      actual: `${describeLines(newText(), name)} since this write${watch.stream.ended() ? ', and then the end' : ''}`,
      exchange: written,
      stream: watch.stream,
    })),
  );
  if (missingLines.length > 0) noteWait(written, waitedSeconds);
  return { written, missingLines };
}

interface Awaited {
  readonly watch: Watch;
  readonly missing: () => readonly string[];
}

/** Waits until no line is missing, or until the same watch has sent a line that was due later, or until the timeout. */
async function untilCertain(run: Run, awaited: readonly Awaited[]): Promise<void> {
  const areComplete = async (seconds: number): Promise<boolean> => {
    const complete = awaited.map(({ watch, missing }) => watch.until(() => missing().length === 0, seconds));
    return (await Promise.all(complete)).every(Boolean);
  };
  const [first] = awaited;
  if (first === undefined || (await areComplete(OVERTAKEN_SECONDS))) return;
  const later = await writeSentinel(run, first.watch.directory);
  const isDecided = ({ watch, missing }: Awaited) => missing().length === 0 || watch.count(later) > 0;
  await Promise.all(awaited.map((each) => each.watch.until(() => isDecided(each))));
  for (const { watch, missing } of awaited) if (missing().length > 0) learn(watch.patience, false, 0);
}
