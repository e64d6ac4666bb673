/** Observes a watch of a directory in which nothing changes: when its headers arrive, and whether lines keep it alive. */
import type { ObservedValue } from '../../spec/observations/observation.ts';
import type { Run } from '../engine/conforms.ts';
import { respondsWithin } from '../kit/resolves-within.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { createFlight, secondsInFlight } from '../target/flight.ts';
import type { Stream } from '../target/client.ts';
import { needDirectories } from './watched-directories.ts';
import { openStream } from './watch.ts';

/** Headers that are not sent with the first line arrive by then. */
const HEAD_SECONDS = 2;
/** Longer than the usual 30 s. */
const KEEP_ALIVE_SECONDS = 33;
/** Lines that arrive sooner after each other are sent together. */
const MIN_INTERVAL_SECONDS = 0.5;

type KeepAlive = Exclude<ObservedValue<'keep-alive lines'>, 'none'>;

/** Observes nothing if the watch is refused. */
export async function observeIdleWatch(run: Run): Promise<void> {
  const directory = `${await newWritableDirectory(run)}/idle`;
  await needDirectories(run, directory, ['below']);
  const wholeSeconds = Math.min(KEEP_ALIVE_SECONDS, run.patienceSeconds);
  const flight = createFlight();
  const opening = openStream(run, directory, {}, { flight });
  opening.catch(() => {}); // awaited below
  try {
    const isEarly = await respondsWithin(opening, flight, HEAD_SECONDS);
    const hasHead = isEarly || (await respondsWithin(opening, flight, wholeSeconds));
    // Without a keep-alive line, only a change makes it send one.
    if (!hasHead) await putTree(run, directory, { 'idle.txt': 'x' });
    const stream = await opening;
    if (stream.status !== 200) return;
    run.observe('the headers of a watch', isEarly ? 'at once' : 'with the first line');
    const keepAlive = hasHead ? await keepAliveOf(stream, () => secondsInFlight(flight), wholeSeconds) : undefined;
    if (keepAlive !== undefined) run.observe('keep-alive lines', keepAlive);
    else if (wholeSeconds === KEEP_ALIVE_SECONDS) run.observe('keep-alive lines', 'none');
  } finally {
    void opening.then((stream) => stream.close()).catch(() => {}); // its error is already thrown
  }
}

/**
 * A line that comes twice: one that comes once greets the client. One in the second half of the time counts as well, because
 * it could not come again in time. Undefined if there is none.
 */
async function keepAliveOf(
  stream: Stream,
  elapsedSeconds: () => number,
  wholeSeconds: number,
): Promise<KeepAlive | undefined> {
  const arrivals = new Map<string, number>();
  let count = 0;
  const isMore = (text: string): boolean => linesIn(text).length > count;
  while (await stream.until(isMore, wholeSeconds - elapsedSeconds())) {
    const seconds = elapsedSeconds();
    const lines = linesIn(stream.text());
    for (const line of lines.slice(count)) {
      const interval = seconds - (arrivals.get(line) ?? seconds);
      if (interval >= MIN_INTERVAL_SECONDS) return { line, everySeconds: rounded(interval) };
      if (!arrivals.has(line)) arrivals.set(line, seconds);
    }
    count = lines.length;
  }
  const late = [...arrivals].filter(([, seconds]) => seconds > wholeSeconds / 2);
  return late.length === 1 ? { line: late[0]![0], everySeconds: rounded(late[0]![1]) } : undefined;
}

/** Complete lines that are not empty, without numbers: a time or a counter would differ from line to line. */
const linesIn = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().slice(0, 100).replaceAll(/\d+/g, '0'));

/** Seconds; multiples of five, unless there are few. */
function rounded(seconds: number): number {
  const unit = seconds < 8 ? 1 : 5;
  return Math.max(1, Math.round(seconds / unit) * unit);
}
