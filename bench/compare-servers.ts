/** Compares the cost of a request to the mock, to bare node:http and to other servers, in alternating rounds. */
import { load, type Cost, type Request } from './load.ts';
import { median } from './median.ts';
import type { RequestWithoutToken } from './requests.ts';
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

export async function compareServers(
  request: RequestWithoutToken,
  credential: Credential,
  connections?: number,
): Promise<Comparison> {
  const mock = await serve('mock');
  const sample = await sampleOf(mock, { ...request, token: mock.tokens[credential] });
  const [bare, koa, prism] = [await serve('bare', sample), await serve('koa', sample), await serve('prism')];
  const started: Record<ServerName, Served> = { bare, mock, koa, prism };
  const costs: Record<ServerName, Cost[]> = { bare: [], mock: [], koa: [], prism: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const name of servers) {
      const server = started[name];
      const sent = { ...request, path: server.prefix + request.path, token: server.tokens[credential] };
      const cost = await load(server, [sent], name === 'prism' ? REQUESTS_TO_PRISM : REQUESTS, connections);
      if (round >= 0) costs[name].push(cost);
    }
  }
  await Promise.all(servers.map((name) => started[name].stop()));
  return Object.fromEntries(servers.map((name) => [name, comparedWith(costs.bare, costs[name])])) as Comparison;
}

/** Each update adds an event to a response, up to ten: a sample of an earlier one would be shorter than most. */
const UPDATES_BEFORE_SAMPLE = 12;

async function sampleOf(server: Served, request: Request): Promise<Sample> {
  const { method, token, body = null } = request;
  const path = server.prefix + request.path;
  if (method === 'PUT') await load(server, [{ ...request, path }], UPDATES_BEFORE_SAMPLE);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body });
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
