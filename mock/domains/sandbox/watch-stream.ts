/** The stream of a watcher: changed paths, one per line. For a slow client, it buffers each path at most once, up to a limit. */
import { Readable } from 'node:stream';
import { worldLimits } from '../../../spec/formats/mock-limits.ts';
import type { Watchers } from './watchers.ts';

/** Watches from now on, until the stream is destroyed, for example because the client disconnects. */
/** `maxBytes`: of the paths that wait for a client that does not read; beyond, the stream ends with an error. */
export function watchStream(
  watchers: Watchers,
  directory: string,
  ignore: readonly string[],
  maxBytes: number = worldLimits.watchBytes.max,
): Readable {
  let pendingBytes = 0;
  const pending = new Set<string>();
  let hasDemand = false;
  const flush = () => {
    for (const path of pending) {
      if (!hasDemand) return;
      pending.delete(path);
      pendingBytes -= path.length;
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
    if (!pending.has(path)) pendingBytes += path.length;
    pending.add(path);
    flush();
    if (pendingBytes > maxBytes) stream.destroy(new Error('The client does not read.'));
  };
  const leave = watchers.add({ directory, ignore, notify, close: () => void stream.push(null) });
  return stream;
}
