/** Runs a server in a separate process, to measure its CPU time separately from the client's. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The first message of a forked server: its management address and credentials. */
export interface Ready {
  readonly port: number;
  /** Of its paths. */
  readonly prefix: '/v0' | '';
  readonly tokens: { readonly apiKey: string; readonly jwt: string };
}

/** What the server process of the mock is started with. */
export interface MockInput {
  /** A state file. */
  readonly state?: string;
}

/** A response of the mock, which the other servers send. */
export interface Sample {
  readonly body: string;
}

export interface Served extends Ready {
  cpuMicroseconds(): Promise<number>;
  /** What is left after a garbage collection. */
  heapBytes(): Promise<number>;
  /** Memory of the process. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs bench/servers/<name>.ts with what it needs. */
export async function serve(name: 'bare' | 'koa' | 'mock' | 'prism', input?: Sample | MockInput): Promise<Served> {
  const file = path.join(import.meta.dirname, 'servers', `${name}.ts`);
  const child = fork(file, [JSON.stringify(input ?? {})], { execArgv: ['--expose-gc'] });
  const died = once(child, 'exit').then(() => Promise.reject(new Error('A benchmark server exited.')));
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
  return {
    ...ready,
    cpuMicroseconds: () => requestFigure('cpu'),
    heapBytes: () => requestFigure('heap'),
    residentBytes: () => requestFigure('rss'),
    stop,
  };
}

type Figure = 'cpu' | 'heap' | 'rss';

/** The server process: sends its address, and its figures on request. */
export function report(ready: Ready): void {
  process.on('message', (what: Figure) => process.send?.(figures[what]()));
  process.send?.(ready);
}

/** The credentials of servers that are not the mock, as long as those of the mock. */
export const SAMPLE_TOKENS = { apiKey: 'svc-key-'.padEnd(40, '0'), jwt: 'e30.'.padEnd(650, '0') };

/** The server process: what it was started with. */
export function readInput(): Sample & MockInput {
  return JSON.parse(process.argv[2] ?? '{}') as Sample & MockInput;
}

const figures: Readonly<Record<Figure, () => number>> = {
  cpu: cpuMicroseconds,
  heap: heapBytes,
  rss: () => process.memoryUsage().rss,
};

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

// Collecting also throws compiled code away, so it is kept out of the timed rounds.
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
