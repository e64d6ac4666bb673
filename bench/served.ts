/** A server in a process of its own, so that its CPU time is counted apart from that of whoever asks it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What a forked server sends first: where it listens, and how to get in. */
export interface Ready {
  readonly port: number;
  readonly token: string;
}

export interface Usage {
  readonly cpuMicroseconds: number;
  /** After a garbage collection. */
  readonly heapBytes: number;
}

export interface Served extends Ready {
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Runs bench/servers/<name>.ts; `input` is handed to it. */
export async function serve(name: 'bare' | 'mock', input: unknown = null): Promise<Served> {
  const file = path.join(import.meta.dirname, 'servers', `${name}.ts`);
  const child = fork(file, [JSON.stringify(input)], { execArgv: ['--expose-gc'] });
  const died = once(child, 'exit').then(() => Promise.reject(new Error('A server of the bench ended before it answered.')));
  const said = async () => ((await Promise.race([once(child, 'message'), died])) as [unknown])[0];
  const ready = (await said()) as Ready;
  const usage = async () => {
    child.send('usage');
    return (await said()) as Usage;
  };
  const stop = async () => {
    died.catch(() => {});
    child.kill();
    await once(child, 'exit');
  };
  return { ...ready, usage, stop };
}

/** The server's side: reports where it listens, and its usage whenever asked. */
export function report(ready: Ready): void {
  process.on('message', () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system, heapBytes: process.memoryUsage().heapUsed } satisfies Usage);
  });
  process.send?.(ready);
}
