/** Compares the time from process start to first response: the built command against a bare server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { median } from './median.ts';

const ROUNDS = 9;
const built = path.join(import.meta.dirname, 'servers/built.mjs');
const bare = `require('node:http').createServer((q, s) => s.end('{}')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

export interface StartUp {
  readonly mockMilliseconds: number;
  readonly bareMilliseconds: number;
  readonly ratio: number;
}

/** `npm run build` must have run. */
export async function startUp(): Promise<StartUp> {
  const mocks: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ofMock = await timed([built, 'mock', '--port', '0', '--json'], portOfMock, '/_mock/health');
    const ofBare = await timed(['-e', bare], Number, '/');
    if (round === 0) continue;
    mocks.push(ofMock);
    bares.push(ofBare);
  }
  const ratio = median(mocks.map((milliseconds, round) => milliseconds / (bares[round] ?? NaN)));
  return { mockMilliseconds: median(mocks), bareMilliseconds: median(bares), ratio };
}

function portOfMock(line: string): number {
  return Number(new URL(JSON.parse(line).target.addresses.host).port);
}

async function timed(args: readonly string[], portOf: (line: string) => number, pathname: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const response = await fetch(`http://127.0.0.1:${portOf(line)}${pathname}`);
  await response.arrayBuffer();
  const milliseconds = performance.now() - start;
  child.kill();
  await once(child, 'exit');
  return milliseconds;
}
