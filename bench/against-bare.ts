/** Compares a request to the mock with bare node:http sending the same bytes, in alternating rounds. */
import { Pool } from 'undici';
import { load, once, type Cost, type Request } from './load.ts';
import { median } from './median.ts';
import { serve } from './served.ts';

export interface Comparison {
  readonly mock: Cost;
  readonly bare: Cost;
  /** CPU of the bare server over CPU of the mock: 1 would be as cheap as bare. */
  readonly cpuRatio: number;
}

const ROUNDS = 5;
/** Warm-up rounds, not counted: both servers get faster until their code is compiled. */
const WARM_UP_ROUNDS = 3;
const REQUESTS = 10_000;

export async function againstBare(request: Request): Promise<Comparison> {
  const mock = await serve('mock');
  const pool = new Pool(`http://127.0.0.1:${mock.port}`);
  const bytes = await once(pool, mock.token, request);
  await pool.close();
  const bare = await serve('bare', bytes);
  const costs: { mock: Cost[]; bare: Cost[] } = { mock: [], bare: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const [ofMock, ofBare] = [await load(mock, request, REQUESTS), await load(bare, request, REQUESTS)];
    if (round < 0) continue;
    costs.mock.push(ofMock);
    costs.bare.push(ofBare);
  }
  await Promise.all([mock.stop(), bare.stop()]);
  const cpuRatio = median(
    costs.mock.map(({ cpuMicroseconds }, round) => (costs.bare[round]?.cpuMicroseconds ?? NaN) / cpuMicroseconds),
  );
  return { mock: medianCost(costs.mock), bare: medianCost(costs.bare), cpuRatio };
}

function medianCost(costs: readonly Cost[]): Cost {
  return {
    cpuMicroseconds: median(costs.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    requestsPerSecond: median(costs.map(({ requestsPerSecond }) => requestsPerSecond)),
  };
}
