/** `npm run bench`: measures performance as ratios within one run, and prints them next to their goals. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { compareServers, type Credential } from './compare-servers.ts';
import { runCost, runSize } from './conformance-run.ts';
import { largeWorldTimings } from './large-worlds.ts';
import type { Request } from './load.ts';
import { bytesPerResource, residentBytesAfter } from './memory.ts';
import { pageTiming } from './metrics.ts';
import { reportPageMilliseconds } from './report-page.ts';
import { startUp } from './start-up.ts';
import { stateFileCost } from './state-file.ts';
import { worldMilliseconds } from './worlds.ts';

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
}

type Sent = Omit<Request, 'token'>;

const agentPath = '/agents/demo-agent';
const get: Sent = { method: 'GET', path: agentPath };
const put: Sent = {
  method: 'PUT',
  path: agentPath,
  body: JSON.stringify({
    metadata: { name: 'demo-agent', displayName: 'Demo agent', labels: { team: 'demo' } },
    spec: {
      runtime: {
        generation: 'mk2',
        memory: 2048,
        minScale: 0,
        maxScale: 3,
        envs: [{ name: 'GREETING', value: 'hello' }],
      },
      triggers: [{ id: 'http', type: 'http', configuration: { path: '/ask' } }],
    },
  }),
};

const twoDecimals = (value: number): string => value.toFixed(2);

/** `share`: the goal, as a share of what koa, @koa/router and ajv reach. */
async function requestRow(what: string, request: Sent, credential: Credential, share: number): Promise<Row> {
  const { bare, mock, koa, prism } = await compareServers(request, credential);
  const cpu = `${mock.cpuMicroseconds.toFixed(0)} µs against ${bare.cpuMicroseconds.toFixed(0)} µs`;
  const peers = `${twoDecimals(mock.ofBare / koa.ofBare)} of koa, which has ${twoDecimals(koa.ofBare)}; Prism ${twoDecimals(prism.ofBare)}`;
  return { what, measured: `${twoDecimals(mock.ofBare)} of bare (${cpu}); ${peers}`, goal: `≥ ${share} of koa` };
}

async function stateFileRow(): Promise<Row> {
  const { withFile, without } = await stateFileCost({ ...put, path: `/v0${agentPath}` });
  const measured = `${twoDecimals(withFile / without)}× (${withFile.toFixed(0)} µs against ${without.toFixed(0)} µs)`;
  return { what: 'PUT with --state', measured, goal: '≤ 2×' };
}

async function startUpRow(): Promise<Row> {
  const { ratio, mockMilliseconds, bareMilliseconds } = await startUp();
  const measured = `${twoDecimals(ratio)}× (${mockMilliseconds.toFixed(0)} ms against ${bareMilliseconds.toFixed(0)} ms)`;
  return { what: 'start to first response', measured, goal: '≤ 2.5×' };
}

async function resourceMemoryRow(): Promise<Row> {
  const kilobytes = (await bytesPerResource()) / 1000;
  return { what: 'memory of a resource of 0.5 kB JSON', measured: `${twoDecimals(kilobytes)} kB`, goal: '≤ 2 kB' };
}

const REQUESTS = 1_000_000;

async function loadMemoryRow(): Promise<Row> {
  const mixed = [get, get, put, { ...get, path: '/agents' }, { ...get, path: '/volumes' }];
  const bytes = await residentBytesAfter(
    REQUESTS,
    mixed.map((request) => ({ ...request, path: `/v0${request.path}` })),
  );
  return {
    what: 'memory after 1,000,000 mixed requests',
    measured: `${(bytes / 1e6).toFixed(0)} MB`,
    goal: '≤ 200 MB',
  };
}

async function newWorldRow(): Promise<Row> {
  return { what: 'another world on a port', measured: `${(await worldMilliseconds()).toFixed(1)} ms`, goal: '≤ 5 ms' };
}

async function reportPageRow(): Promise<Row> {
  const milliseconds = await reportPageMilliseconds();
  const measured = milliseconds === undefined ? 'no browser was found' : `${milliseconds.toFixed(0)} ms`;
  return { what: 'report.html of 2,000 exchanges opens', measured, goal: '≤ 1000 ms' };
}

async function runRow(what: string, isQuick: boolean, goal: string): Promise<Row> {
  const { requests, inFlight } = await runCost({ isQuick });
  return { what, measured: `${requests} requests without the clean-up, ${inFlight.toFixed(1)} in flight`, goal };
}

const TIME_SECONDS = 10;

async function timedRunRow(what: string, latencyMs: number, goal: string): Promise<Row> {
  const { seconds, requests } = await runCost({ timeMs: TIME_SECONDS * 1000 }, latencyMs);
  const measured = `${(seconds - TIME_SECONDS).toFixed(1)} s until all cases have ended, ${requests} requests`;
  return { what: `run with --time ${TIME_SECONDS}s, ${what}`, measured, goal };
}

async function runSizeRows(what: string, ...flags: readonly string[]): Promise<Row[]> {
  const { memory, artefacts } = await runSize(...flags);
  const peak = memory === undefined ? 'this system has no /proc' : `${((memory * 2 ** 20) / 1e6).toFixed(0)} MB`;
  return [
    { what: `peak memory of ${what}`, measured: peak, goal: '< 400 MB' },
    { what: `report of ${what}`, measured: `${(artefacts / 1e6).toFixed(1)} MB`, goal: '< 10 MB' },
  ];
}

function metricsPageRow(): Row {
  const { milliseconds, stringifyMilliseconds } = pageTiming();
  const share = twoDecimals(milliseconds / stringifyMilliseconds);
  const measured = `${twoDecimals(milliseconds)} ms, ${share} of JSON.stringify (${twoDecimals(stringifyMilliseconds)} ms)`;
  return { what: 'page of 100 groups × 168 buckets', measured, goal: '≤ 0.8 ms' };
}

/** Compares the large world with one of a tenth of its size. */
function largeWorldRows(): Row[] {
  const [small, large] = [largeWorldTimings(10_000), largeWorldTimings(100_000)];
  return small.flatMap(({ what, milliseconds, afterChange }, at) => {
    const tenfold = large[at];
    if (tenfold === undefined) return [];
    const measured = `${milliseconds.toFixed(1)} ms, after a change ${afterChange.toFixed(1)} ms`;
    const growth = `${(tenfold.milliseconds / milliseconds).toFixed(1)}× and ${(tenfold.afterChange / afterChange).toFixed(1)}×`;
    return [
      { what: `10,000 resources, ${what}`, measured, goal: '≤ 20 ms' },
      { what: `100,000 resources, ${what}`, measured: growth, goal: '≤ 10×' },
    ];
  });
}

/** In this order: those that measure time come first, while the process is small. */
const groups: Readonly<Record<string, () => Promise<Row[]>>> = {
  requests: async () => [
    await requestRow('GET of a resource, API key', get, 'apiKey', 0.9),
    await requestRow('GET of a resource, JWT', get, 'jwt', 0.9),
    await requestRow('PUT, validated, stateful', put, 'apiKey', 0.8),
    await stateFileRow(),
  ],
  'start-up': async () => [await startUpRow(), await newWorldRow()],
  memory: async () => [await resourceMemoryRow(), await loadMemoryRow()],
  metrics: async () => [metricsPageRow(), ...largeWorldRows()],
  report: async () => [await reportPageRow()],
  runs: async () => [
    await runRow('run against a target with 100 ms of latency', false, '≤ 10,000 requests, ≥ 6 in flight'),
    await runRow('the same with --quick', true, '≤ 1,500 requests, ≥ 6 in flight'),
    await timedRunRow('on loopback', 0, '≤ 2 s'),
    await timedRunRow('100 ms of latency', 100, '≤ 4 s'),
    ...(await runSizeRows('a run')),
    ...(await runSizeRows('a run with --quick', '--quick')),
  ],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(groups).join(', ')}.`);
execFileSync('node', [path.join(import.meta.dirname, '../cli/dev/build.ts')]);
for (const [name, measure] of Object.entries(groups)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const rows = await measure();
  console.table(Object.fromEntries(rows.map(({ what, measured, goal }) => [what, { measured, goal }])));
}
