/** Observes a watch of a directory in which nothing changes: when its headers arrive, and whether lines keep it alive. */
import type { Run } from '../engine/conforms.ts';
import { resolvesWithin } from '../kit/resolves-within.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
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
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  const wholeSeconds = Math.min(KEEP_ALIVE_SECONDS, run.patienceSeconds);
  const opening = openStream(run, directory);
  opening.catch(() => {}); // awaited below
  try {
    const isEarly = await resolvesWithin(opening, HEAD_SECONDS);
    const hasHead = isEarly || (await resolvesWithin(opening, wholeSeconds - elapsed()));
    // Without a keep-alive line, only a change makes it send one.
    if (!hasHead) await putTree(run, directory, { 'idle.txt': 'x' });
    const stream = await opening;
    if (stream.status !== 200) return;
    run.observe('the headers of a watch', isEarly ? 'at once' : 'with the first line');
    const isLine = (text: string) => /\S[^\n]*\n/.test(text);
    if (hasHead && (await stream.until(isLine, wholeSeconds - elapsed()))) {
      const [line = ''] = stream.text().trim().split(/\r?\n/);
      run.observe('keep-alive lines', { line: withoutNumbers(line), everySeconds: rounded(elapsed()) });
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
