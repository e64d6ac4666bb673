/** The watchers of a sandbox's directories. A slow watcher never delays a writer. */
import { isBelow } from './path.ts';
import { requireAtMost } from '../../http/limits.ts';
import { trimSlashes } from '../../http/trim-slashes.ts';
import { matchesDirectory, matchesWildcard } from '../../../spec/wildcard.ts';

export interface Watcher {
  /** Absolute; includes files at any depth. */
  readonly directory: string;
  /** Patterns of ignored files. Without a slash, they match any name below the directory; otherwise the path relative to it. */
  readonly ignore: readonly string[];
  /** Must return at once and never throw. */
  readonly notify: (path: string) => void;
  /** Called when the sandbox is deleted, and when too many notifications are pending. */
  readonly close: () => void;
}

export interface Watchers {
  /** Returns a function that removes the watcher; it may be called more than once. */
  add(watcher: Watcher): () => void;
  /** Notifies at once if that is quick, and otherwise the rest later, so that a write with many paths delays no other request. */
  notify(paths: readonly string[]): void;
  closeAll(): void;
  count(): number;
}

/** A path that a watcher may concern. */
type Notification = readonly [watcher: Watcher, path: string];

/** How long notifications may delay other requests. */
const SLICE_MS = 5;
/** Notifications that wait: beyond, the watchers are closed, like those of a client that does not read. */
const MAX_PENDING = 200_000;

export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>();
  let pending: Notification[] = [];
  let done = 0;
  const closeAll = () => {
    pending = [];
    done = 0;
    for (const watcher of watchers) watcher.close();
    watchers.clear();
  };
  const drain = () => {
    const until = performance.now() + SLICE_MS;
    for (; done < pending.length; done++) {
      if (performance.now() > until) return void setImmediate(drain);
      const [watcher, path] = pending[done]!;
      if (watchers.has(watcher) && concerns(watcher, path)) watcher.notify(path);
    }
    pending = [];
    done = 0;
  };
  return {
    add: (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    notify: (paths) => {
      if (watchers.size === 0) return;
      if (pending.length + watchers.size * paths.length > MAX_PENDING) return closeAll();
      const isDraining = pending.length > 0;
      for (const watcher of watchers) for (const path of paths) pending.push([watcher, path]);
      if (!isDraining) drain();
    },
    closeAll,
    count: () => watchers.size,
  };
}

/** Splits a comma-separated list of patterns; trims whitespace. Throws a problem if there are too many. */
export function ignorePatterns(list: string | null): string[] {
  const patterns = (list ?? '').split(',').map((pattern) => trimSlashes(pattern.trim()));
  const ignored = patterns.filter((pattern) => pattern !== '');
  requireAtMost('ignorePatterns', ignored.length, 'ignore');
  requireAtMost('ignoreCharacters', ignored.join('').length, 'ignore');
  return ignored;
}

function concerns({ directory, ignore }: Watcher, path: string): boolean {
  if (!isBelow(path, directory)) return false;
  if (ignore.length === 0) return true;
  const below = path.slice(directory.length).replace(/^\//, '');
  const names = below.split('/');
  return !ignore.some((pattern) =>
    pattern.includes('/')
      ? matchesDirectory(below, pattern)
      : names.some((name) => matchesWildcard(name, pattern, { one: true })),
  );
}
