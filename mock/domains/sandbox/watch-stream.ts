/** The stream of a watcher: changed paths, one per line. For a slow client, it buffers each path at most once. */
import { Readable } from 'node:stream';
import type { Watchers } from './watchers.ts';

/** Watches from now on, until the stream is destroyed, for example because the client disconnects. */
export function watchStream(watchers: Watchers, directory: string, ignore: readonly string[]): Readable {
  const pending = new Set<string>();
  let hasDemand = false;
  const flush = () => {
    for (const path of pending) {
      if (!hasDemand) return;
      pending.delete(path);
      hasDemand = stream.push(`${path}\n`);
    }
  };
  const stream = new Readable({
    read: () => {
      hasDemand = true;
      flush();
    },
    destroy: (error, done) => {
      leave();
      pending.clear();
      done(error);
    },
  });
  const notify = (path: string) => {
    pending.add(path);
    flush();
  };
  const leave = watchers.add({ directory, ignore, notify, close: () => void stream.push(null) });
  return stream;
}
