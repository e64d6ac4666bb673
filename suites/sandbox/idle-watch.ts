/** Observes a watch of a directory in which nothing changes: when its headers arrive, and whether lines keep it alive. */
import type { Run } from '../engine/conforms.ts';
import { respondsWithin } from '../kit/resolves-within.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { createFlight, secondsInFlight } from '../target/flight.ts';
import { needDirectories } from './watched-directories.ts';
import { openStream } from './watch.ts';

/** Headers that are not sent with the first line arrive by then. */
const HEAD_SECONDS = 2;
/** Longer than the usual 30 s. */
const KEEP_ALIVE_SECONDS = 33;

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
    const isLine = (text: string) => /\S[^\n]*\n/.test(text);
    if (hasHead && (await stream.until(isLine, wholeSeconds - secondsInFlight(flight)))) {
      const [line = ''] = stream.text().trim().split(/\r?\n/);
      run.observe('keep-alive lines', { line: withoutNumbers(line), everySeconds: rounded(secondsInFlight(flight)) });
    } else if (wholeSeconds === KEEP_ALIVE_SECONDS) run.observe('keep-alive lines', 'none');
  } finally {
    void opening.then((stream) => stream.close()).catch(() => {}); // its error is already thrown
  }
}

/** A time or a counter would differ from line to line. */
const withoutNumbers = (line: string): string => line.slice(0, 100).replaceAll(/\d+/g, '0');

/** Seconds; multiples of five, unless there are few. */
function rounded(seconds: number): number {
  const unit = seconds < 8 ? 1 : 5;
  return Math.max(1, Math.round(seconds / unit) * unit);
}
