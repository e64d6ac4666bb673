/** Compares the cost of a request to the mock, to bare node:http and to other servers, in alternating rounds. */
import { load, type Cost, type Request } from './load.ts';
import { median } from './median.ts';
import { serve, type Sample, type Served } from './served.ts';

const servers = ['bare', 'mock', 'koa', 'prism'] as const;
type ServerName = (typeof servers)[number];

export type Comparison = Readonly<
  Record<
    ServerName,
    Cost & {
      /** CPU of the bare server over CPU of this one: 1 would be as cheap as bare. */
      readonly ofBare: number;
    }
  >
>;

export type Credential = keyof Served['tokens'];

const ROUNDS = 5;
/** Warm-up rounds, not counted: all servers get faster until their code is compiled. */
const WARM_UP_ROUNDS = 3;
const REQUESTS = 10_000;
/** Prism needs ten times as long for each. */
const REQUESTS_TO_PRISM = 1000;

export async function compareServers(request: Omit<Request, 'token'>, credential: Credential): Promise<Comparison> {
  const mock = await serve('mock');
  const sample = await sampleOf(mock, { ...request, token: mock.tokens[credential] });
  const [bare, koa, prism] = [await serve('bare', sample), await serve('koa', sample), await serve('prism')];
  const started: Record<ServerName, Served> = { bare, mock, koa, prism };
  const costs: Record<ServerName, Cost[]> = { bare: [], mock: [], koa: [], prism: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const name of servers) {
      const server = started[name];
      const sent = { ...request, path: server.prefix + request.path, token: server.tokens[credential] };
      const cost = await load(server, [sent], name === 'prism' ? REQUESTS_TO_PRISM : REQUESTS);
      if (round >= 0) costs[name].push(cost);
    }
  }
  await Promise.all(servers.map((name) => started[name].stop()));
  return Object.fromEntries(servers.map((name) => [name, comparedWith(costs.bare, costs[name])])) as Comparison;
}

async function sampleOf({ port, prefix }: Served, { method, path, token, body }: Request): Promise<Sample> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${prefix}${path}`, { method, headers, body: body ?? null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
  return { body: text };
}

function comparedWith(bare: readonly Cost[], costs: readonly Cost[]): Comparison[ServerName] {
  return {
    cpuMicroseconds: median(costs.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    requestsPerSecond: median(costs.map(({ requestsPerSecond }) => requestsPerSecond)),
    ofBare: median(costs.map(({ cpuMicroseconds }, round) => (bare[round]?.cpuMicroseconds ?? NaN) / cpuMicroseconds)),
  };
}
