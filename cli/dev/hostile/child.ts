/** A forked process that reports when it is ready, and its figures on request. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface Child<Ready, Figures> extends AsyncDisposable {
  readonly ready: Ready;
  /** Since the last call. */
  readonly figures: () => Promise<Figures>;
  /** What it wrote to stderr since the last call. */
  readonly takeLog: () => string;
  /** Rejects when the process ends without being stopped. */
  readonly died: Promise<never>;
}

const MAX_LOG = 1_000_000;

/** Runs `file` of this folder with an argument; its first message is `Ready`. */
export async function startChild<Ready, Figures>(file: string, input: unknown): Promise<Child<Ready, Figures>> {
  const options = { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'pipe', 'ipc'] as ('pipe' | 'ipc')[] };
  const child = fork(path.join(import.meta.dirname, file), [JSON.stringify(input)], options);
  let log = '';
  child.stderr?.on('data', (text) => {
    if (log.length < MAX_LOG) log += String(text);
  });
  const died = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`${file} ended with ${String(signal ?? code)}: ${log.slice(-4000)}`)),
  );
  died.catch(() => {});
  const message = async () => ((await Promise.race([once(child, 'message'), died])) as [unknown])[0];
  const ready = (await message()) as Ready;
  return {
    ready,
    died,
    figures: async () => {
      child.send('figures');
      return (await message()) as Figures;
    },
    takeLog: () => {
      const taken = log;
      log = '';
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** In the process: sends `ready`, and `figures()` on request; ends with its parent. */
export function reportFigures(ready: object, figures: () => object | Promise<object>): void {
  process.on('message', () => {
    void Promise.resolve(figures()).then((found) => process.send?.(found));
  });
  process.on('disconnect', () => process.exit());
  process.send?.(ready);
}
