/** Compares a request to a mock that keeps its state in a file with one that does not, in alternating rounds. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load, type Request } from './load.ts';
import { median } from './median.ts';
import { serve } from './served.ts';

const ROUNDS = 5;
const REQUESTS = 3000;

export interface StateFileCost {
  /** Real time for a request, in microseconds: a file is waited for, which takes no CPU. */
  readonly withFile: number;
  readonly without: number;
}

export async function stateFileCost(request: Omit<Request, 'token'>): Promise<StateFileCost> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-bench-'));
  const stored = await serve('mock', { state: path.join(folder.path, 'world.sqlite') });
  const plain = await serve('mock');
  const times: Record<'withFile' | 'without', number[]> = { withFile: [], without: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, server] of [
      ['withFile', stored],
      ['without', plain],
    ] as const) {
      const { requestsPerSecond } = await load(server, [{ ...request, token: server.tokens.apiKey }], REQUESTS);
      if (round >= 0) times[name].push(1e6 / requestsPerSecond);
    }
  }
  await Promise.all([stored.stop(), plain.stop()]);
  return { withFile: median(times.withFile), without: median(times.without) };
}
