/** Factories of deviations: watches of a sandbox. */
import type { App, Fault } from '../deviation.ts';
import { pipeline, Readable, Transform } from 'node:stream';
import type { Context } from '../../pipeline/context.ts';
import { isBelow } from '../../domains/sandbox/path.ts';
import type { Watchers } from '../../domains/sandbox/watchers.ts';
import { aroundWrite, directoryOf, type TreeWrite } from './tree-access.ts';

/** Reports other paths than were written. `edit` gets the written absolute paths in order. */
export function changesLines(
  edit: (paths: readonly string[], write: TreeWrite, ctx: Context) => readonly string[],
): Fault {
  const reporting = new WeakMap<Watchers, Watchers['notify']>();
  /** The endpoint's own word goes nowhere from now on. */
  function mute(watchers: Watchers): Watchers['notify'] {
    const tell = reporting.get(watchers) ?? watchers.notify.bind(watchers);
    reporting.set(watchers, tell);
    watchers.notify = () => {};
    return tell;
  }
  return aroundWrite(({ watchers }, ctx) => {
    const tell = mute(watchers);
    return (write) => tell(edit(write.written, write, ctx));
  });
}

/** One watch that is open. */
export interface Listener {
  readonly directory: string;
  readonly out: Transform;
  /** Lines so far. */
  lines: number;
  deaf: boolean;
}

interface ListenerOptions {
  /** Replaces a reported path. Undefined drops it. */
  say?: (path: string, ear: Listener, all: readonly Listener[]) => string | undefined;
  opened?: (ear: Listener, all: readonly Listener[]) => void;
  left?: (ear: Listener, all: readonly Listener[]) => void;
  /** Whether it also reports this path, which is not below its directory. */
  also?: (path: string, directory: string) => boolean;
}

/** Filters the lines of every watch. `all` are the open ones, oldest first. */
export function replacesListeners(options: ListenerOptions): Fault {
  return { kind: 'change watch', condition: 'watchDirectory', wrap: (app) => withListeners([], options, app) };
}

/** The same, with a list that the caller can read. */
export function withListeners(all: Listener[], options: ListenerOptions, app: App): App {
  return async (ctx) => {
    await app(ctx);
    const body = ctx.state.reply?.body;
    if (body instanceof Readable) open(ctx, body, options, all);
  };
}

function open(ctx: Context, body: Readable, { say, opened, left, also }: ListenerOptions, all: Listener[]): void {
  const place = directoryOf(ctx, 'watchDirectory');
  if (place === undefined) return;
  const { directory, sandbox } = place;
  const out: Transform = new Transform({
    transform(chunk, _encoding, done) {
      const paths = String(chunk).split('\n').slice(0, -1);
      done(null, paths.map((path) => lineFor(path)).join(''));
    },
  });
  const ear: Listener = { directory, out, lines: 0, deaf: false };
  function lineFor(path: string): string {
    ear.lines += 1;
    if (ear.deaf) return '';
    const said = say === undefined ? `${path}\n` : say(path, ear, all);
    return said ?? '';
  }
  const tell = (path: string) => {
    if (!isBelow(path, directory) && also?.(path, directory) === true) out.push(`${path}\n`);
  };
  const leave =
    also === undefined ? () => {} : sandbox.watchers.add({ directory: '/', ignore: [], notify: tell, close() {} });
  all.push(ear);
  opened?.(ear, all);
  out.once('close', () => {
    leave();
    all.splice(all.indexOf(ear), 1);
    left?.(ear, all);
  });
  ctx.state.reply = { ...ctx.state.reply!, body: pipeline(body, out, () => {}) };
}
