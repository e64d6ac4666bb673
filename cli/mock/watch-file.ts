/** Watches a file by polling: that also notices an editor that replaces it, links, and mounted folders. */
import { statSync } from 'node:fs';

export interface WatchedFile {
  readonly path: string;
  /** What identified its content when it was read. */
  readonly seen: string;
}

const INTERVAL_MS = 200;

/** Call it before the file is read, so that a change in between is noticed. */
export function watchedFile(path: string): WatchedFile {
  return { path, seen: signatureOf(path) };
}

/** Calls `onChange` when the file has changed, and is not being changed any more. Returns a function that stops it. */
export function watchFile(
  { path, seen }: WatchedFile,
  onChange: () => Promise<void>,
  intervalMs: number = INTERVAL_MS,
): () => void {
  let handled = seen;
  let before = seen;
  let isBusy = false;
  const check = async (): Promise<void> => {
    const now = signatureOf(path);
    const isStable = now === before;
    before = now;
    if (isBusy || !isStable || now === handled) return;
    handled = now;
    isBusy = true;
    await onChange();
    isBusy = false;
  };
  const timer = setInterval(() => void check(), intervalMs);
  return () => clearInterval(timer);
}

function signatureOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}
