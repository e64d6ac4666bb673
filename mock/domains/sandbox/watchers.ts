/** The watchers of a sandbox's directories. A slow watcher never delays a writer. */
import { isBelow } from './path.ts';
import { matchesWildcard } from '../../http/wildcard.ts';

export interface Watcher {
  /** Absolute; includes files at any depth. */
  readonly directory: string;
  /** Patterns of ignored files. Without a slash, they match any name below the directory; otherwise the path relative to it. */
  readonly ignore: readonly string[];
  /** Must return at once and never throw. */
  readonly notify: (path: string) => void;
  /** Called when the sandbox is deleted. */
  readonly close: () => void;
}

export interface Watchers {
  /** Returns a function that removes the watcher; it may be called more than once. */
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

/** Splits a comma-separated list of patterns; trims whitespace. */
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
  if (!pattern.includes('/')) return names.some((name) => matchesWildcard(name, pattern, { one: true }));
  return names.some((_, index) => matchesWildcard(names.slice(0, index + 1).join('/'), pattern, { one: true }));
}
