/** Who listens to which directory of a sandbox; telling them costs the writer nothing that a listener could hold up. */
import { isBelow } from './path.ts';
import { matchesWildcard } from './wildcard.ts';

export interface Watcher {
  /** Absolute; files at any depth below it are told. */
  readonly directory: string;
  /** Names or wildcards that keep a file back: without a slash they are held against every name below the directory, else against the path below it. */
  readonly ignore: readonly string[];
  /** Must return at once and never throw. */
  readonly notify: (path: string) => void;
  /** Called when the sandbox goes. */
  readonly close: () => void;
}

export interface Watchers {
  /** Returns what takes the watcher off the list again; more than one call does no harm. */
  add(watcher: Watcher): () => void;
  notify(paths: readonly string[]): void;
  closeAll(): void;
  count(): number;
}

export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>();
  return {
    add: (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    notify: (paths) => {
      for (const watcher of watchers) for (const path of paths) if (concerns(watcher, path)) watcher.notify(path);
    },
    closeAll: () => {
      for (const watcher of watchers) watcher.close();
      watchers.clear();
    },
    count: () => watchers.size,
  };
}

/** The patterns of a comma-separated list; blanks around one do not count. */
export function ignorePatterns(list: string | null): string[] {
  const patterns = (list ?? '').split(',').map((pattern) => pattern.trim().replace(/^\/+|\/+$/g, ''));
  return patterns.filter((pattern) => pattern !== '');
}

function concerns({ directory, ignore }: Watcher, path: string): boolean {
  if (!isBelow(path, directory)) return false;
  const below = path.slice(directory.length).replace(/^\//, '');
  return !ignore.some((pattern) => isIgnored(below, pattern));
}

function isIgnored(below: string, pattern: string): boolean {
  const names = below.split('/');
  if (!pattern.includes('/')) return names.some((name) => matchesWildcard(name, pattern));
  return names.some((_, index) => matchesWildcard(names.slice(0, index + 1).join('/'), pattern));
}
