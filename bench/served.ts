/** Runs a server in a separate process, to measure its CPU time separately from the client's. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The first message of a forked server: its address and credential. */
export interface Ready {
  readonly port: number;
  readonly token: string;
}

export interface Served extends Ready {
  cpuMicroseconds(): Promise<number>;
  /** What is left after a garbage collection. */
  heapBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs bench/servers/<name>.ts; `input` is handed to it. */
export async function serve(name: 'bare' | 'mock', input: unknown = null): Promise<Served> {
  const file = path.join(import.meta.dirname, 'servers', `${name}.ts`);
  const child = fork(file, [JSON.stringify(input)], { execArgv: ['--expose-gc'] });
  const died = once(child, 'exit').then(() =>
    Promise.reject(new Error('A benchmark server exited before it was ready.')),
  );
  const readMessage = async () => ((await Promise.race([once(child, 'message'), died])) as [unknown])[0];
  const ready = (await readMessage()) as Ready;
  const requestFigure = async (what: Figure) => {
    child.send(what);
    return (await readMessage()) as number;
  };
  const stop = async () => {
    died.catch(() => {});
    child.kill();
    await once(child, 'exit');
  };
  return { ...ready, cpuMicroseconds: () => requestFigure('cpu'), heapBytes: () => requestFigure('heap'), stop };
}

type Figure = 'cpu' | 'heap';

/** The server process: sends its address, and its figures on request. */
export function report(ready: Ready): void {
  process.on('message', (what: Figure) => process.send?.(what === 'cpu' ? cpuMicroseconds() : heapBytes()));
  process.send?.(ready);
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

// Collecting also throws compiled code away, so it is kept out of the timed rounds.
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
