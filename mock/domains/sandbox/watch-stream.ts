/** One watcher's answer: a stream of changed paths, one a line, that waits for a slow reader without holding more than each path once. */
import { Readable } from 'node:stream';
import type { Watchers } from './watchers.ts';

/** Listens from now on; destroying the stream, as a leaving client does, takes the watcher off the list. */
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
