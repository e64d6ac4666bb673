/** The stream of a watcher: changed paths, one per line. For a slow client, it buffers each path at most once. */
import { Readable } from 'node:stream';
import type { Watchers } from './watchers.ts';

/** Watches from now on, until the stream is destroyed, for example because the client disconnects. */
export function watchStream(watchers: Watchers, directory: string, ignore: readonly string[]): Readable {
  const pending = new Set<string>();
  let wanted = false;
  const flush = () => {
    for (const path of pending) {
      if (!wanted) return;
      pending.delete(path);
      wanted = stream.push(`${path}\n`);
    }
  };
  const stream = new Readable({
    read: () => {
      wanted = true;
      flush();
    },
    destroy: (error, done) => {
      leave();
      pending.clear();
      done(error);
    },
  });
  const tell = (path: string) => {
    pending.add(path);
    flush();
  };
  const leave = watchers.add({ directory, ignore, notify: tell, close: () => void stream.push(null) });
  return stream;
}
