/** Notices changes of files, and restarts of a server on this machine. */
import { existsSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lookup } from '../../suites/target/loopback.ts';
import { UsageError } from '../command-line/usage-error.ts';

export interface Changes {
  /**
   * What has changed since the last call, as soon as nothing changes any more, and whether no restart of the server was noticed.
   * Undefined if `interrupted` was aborted first. `onDown` is called if the server does not listen.
   */
  next(interrupted: AbortSignal, onDown: () => void): Promise<string | undefined>;
  /** A signal that the next change of a file aborts. A restart of the server does not. */
  fileChange(): AbortSignal;
  close(): void;
}

/** What has changed if the server has restarted and no file has changed. */
export const THE_SERVER = 'the server';

/** Editors and build tools write several files. */
const QUIET_MS = 50;
/** A server that is down for longer is worth a line. */
const MIN_REPORTED_MS = 1000;
const POLL_MS = 100;
const POLL_MS_AFTER_CHANGE = 20;

export interface WatchedServer {
  /** Called repeatedly, because the server may move. Undefined if there is none to watch. */
  readonly address: () => string | undefined;
  /** The file that says where it listens. */
  readonly file?: string | undefined;
}

export const NO_SERVER: WatchedServer = { address: () => undefined };

/**
 * `paths`: files and folders. `ignored`: a folder. Throws UsageError for a path that does not exist.
 * `maxRestartMs`: how long a supervisor such as `node --watch` takes at most until it stops the server whose files have changed.
 */
export function watchChanges(
  paths: readonly string[],
  server: WatchedServer,
  ignored: string,
  maxRestartMs = 400,
): Changes {
  let change: string | undefined;
  let changedAt = -Infinity;
  let isRestartExpected = false;
  let hasRestarted = false;
  let hasMoved = false;
  let wake = (): void => {};
  let nextOfFile = new AbortController();
  const mayRestart = (): boolean => isRestartExpected && performance.now() - changedAt < maxRestartMs;
  function noteChange(what: string, isRestart = false): void {
    // A restart may be due to a crash, so it is not named if a file has changed, too.
    if (change === undefined || change === THE_SERVER) change = what;
    changedAt = performance.now();
    isRestartExpected = !isRestart;
    if (server.file !== undefined && path.resolve(what) === path.resolve(server.file)) hasMoved = true;
    if (!isRestart) nextOfFile.abort();
    wake();
  }
  function noteUp(isRestart: boolean): void {
    hasRestarted = true;
    if (isRestart) noteChange(THE_SERVER, true);
  }
  // All, before one of them is watched.
  const unknown = paths.find((each) => !existsSync(each));
  if (unknown !== undefined) throw new UsageError(`--watch: "${unknown}" does not exist. Expected a file or a folder.`);
  const files = paths.map((each) => watchPath(each, ignored, noteChange));
  const watched = watchServer(server.address, noteUp, mayRestart);
  /** Until nothing has changed for a moment, and a server that restarts listens again. */
  async function settle(interrupted: AbortSignal, onDown: () => void): Promise<void> {
    const startMs = performance.now();
    let isReported = false;
    while (!interrupted.aborted) {
      const isQuiet = performance.now() - changedAt >= QUIET_MS;
      // It may listen elsewhere now, which the next run finds out.
      const isDown = watched.isDown() && !hasMoved;
      if (isQuiet && !isDown && (server.address() === undefined || !mayRestart())) return;
      if (isDown && !isReported && performance.now() - startMs > MIN_REPORTED_MS) {
        isReported = true;
        onDown();
      }
      await wait(POLL_MS_AFTER_CHANGE);
    }
  }
  return {
    async next(interrupted, onDown) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      interrupted.addEventListener('abort', wake);
      if (change === undefined && !interrupted.aborted) await promise;
      interrupted.removeEventListener('abort', wake);
      await settle(interrupted, onDown);
      const isStale = server.address() !== undefined && !hasRestarted && !hasMoved;
      const what = isStale && change !== undefined ? `${change}; no restart of ${THE_SERVER} was noticed` : change;
      change = undefined;
      hasRestarted = false;
      hasMoved = false;
      return interrupted.aborted ? undefined : what;
    },
    fileChange() {
      nextOfFile = new AbortController();
      return nextOfFile.signal;
    },
    close() {
      watched.close();
      for (const close of files) close();
    },
  };
}

/** Hidden files are those of editors and tools. */
const isIgnoredName = (name: string): boolean => /(?:^|[/\\])(?:\.|node_modules(?:[/\\]|$))|~$/.test(name);

function watchPath(given: string, ignored: string, onChange: (what: string) => void): () => void {
  const isFolder = statSync(given).isDirectory();
  // The folder of a file, because many editors replace the file.
  const folder = isFolder ? given : path.dirname(given);
  const isOwn = (file: string): boolean =>
    isFolder
      ? !isIgnoredName(path.relative(folder, file)) &&
        !`${path.resolve(file)}${path.sep}`.startsWith(`${ignored}${path.sep}`)
      : path.basename(file) === path.basename(given);
  function open(): FSWatcher {
    const watcher = watch(folder, { recursive: isFolder }, (_, name) => {
      const file = path.join(folder, name ?? '');
      if (name === null || !isOwn(file)) return;
      if (isFolder && identityOf(file)?.isFolder === true) pending ??= setTimeout(reopen, QUIET_MS);
      onChange(file);
    });
    return watcher.on('error', (error) =>
      process.stderr.write(`assay test: "${given}" is no longer watched: ${error.message}\n`),
    );
  }
  let pending: NodeJS.Timeout | undefined;
  let current = open();
  let identity = identityOf(folder)?.id;
  // A build may delete a folder and create it again: of the new one, a watcher of the old one sees nothing.
  function reopen(): void {
    clearTimeout(pending);
    pending = undefined;
    identity = identityOf(folder)?.id;
    if (identity === undefined) return;
    try {
      const next = open();
      current.close();
      current = next;
    } catch {
      identity = undefined; // It is gone again, or cannot be watched yet.
    }
  }
  const timer = setInterval(() => {
    if (identityOf(folder)?.id === identity) return;
    reopen();
    if (identity !== undefined) onChange(given);
  }, POLL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    clearTimeout(pending);
    current.close();
  };
}

/** Undefined if it cannot be read. An inode may be used again. */
function identityOf(file: string): { readonly id: string; readonly isFolder: boolean } | undefined {
  try {
    const found = statSync(file);
    return { id: `${found.ino} ${found.birthtimeMs}`, isFolder: found.isDirectory() };
  } catch {
    return undefined;
  }
}

/** Connects again and again: a server that restarts refuses connections for a moment. */
function watchServer(
  addressNow: WatchedServer['address'],
  onUp: (isRestart: boolean) => void,
  mayRestart: () => boolean,
) {
  let address: string | undefined;
  let isDown = false;
  let wasUp = false;
  const closing = new AbortController();
  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      if (address !== addressNow()) [isDown, wasUp] = [false, false];
      address = addressNow();
      const wasDown = isDown;
      isDown = address !== undefined && !(await accepts(new URL(address)));
      // A server that has not been up before starts.
      if (wasDown && !isDown) onUp(wasUp);
      wasUp ||= !isDown;
      await wait(isDown || mayRestart() ? POLL_MS_AFTER_CHANGE : POLL_MS, undefined, { ref: false });
    }
  }
  void poll();
  return { isDown: () => isDown, close: () => closing.abort() };
}

const accepts = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 80), lookup });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
