/** `npm run bench`: measures performance as ratios within one run, and prints them next to their goals. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { againstBare } from './against-bare.ts';
import { runCost } from './conformance-run.ts';
import { bytesPerResource } from './memory.ts';
import { metricsTimings } from './metrics.ts';
import { reportPageMilliseconds } from './report-page.ts';
import { startUp } from './start-up.ts';
import { worldMilliseconds } from './worlds.ts';

interface Row {
  readonly what: string;
  readonly seen: string;
  readonly aim: string;
}

const agent = '/v0/agents/demo-agent';
const update = JSON.stringify({
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
});

async function served(what: string, request: Parameters<typeof againstBare>[0], aim: string): Promise<Row> {
  const { mock, bare, cpuRatio } = await againstBare(request);
  const cpu = `${mock.cpuMicroseconds.toFixed(1)} µs against ${bare.cpuMicroseconds.toFixed(1)} µs`;
  const rate = `${mock.requestsPerSecond.toFixed(0)}/s against ${bare.requestsPerSecond.toFixed(0)}/s`;
  return { what, seen: `${cpuRatio.toFixed(2)} of bare (${cpu}; ${rate})`, aim };
}

async function started(): Promise<Row> {
  execFileSync('node', [path.join(import.meta.dirname, '../cli/dev/build.ts')]);
  const { ratio, mockMilliseconds, bareMilliseconds } = await startUp();
  const seen = `${ratio.toFixed(2)}× (${mockMilliseconds.toFixed(0)} ms against ${bareMilliseconds.toFixed(0)} ms)`;
  return { what: 'start to first answer', seen, aim: '≤ 2×' };
}

async function memory(): Promise<Row> {
  return {
    what: 'memory a resource of 0.5 kB JSON',
    seen: `${((await bytesPerResource()) / 1000).toFixed(2)} kB`,
    aim: '≤ 2 kB',
  };
}

async function anotherWorld(): Promise<Row> {
  return { what: 'another world on a port', seen: `${(await worldMilliseconds()).toFixed(1)} ms`, aim: '≤ 5 ms' };
}

async function reportPage(): Promise<Row> {
  const milliseconds = await reportPageMilliseconds();
  const seen = milliseconds === undefined ? 'no browser was found' : `${milliseconds.toFixed(0)} ms`;
  return { what: 'report.html of 2,000 exchanges opens', seen, aim: '≤ 1000 ms' };
}

async function conformanceRun(what: string, isQuick: boolean, aim: string): Promise<Row> {
  const { requests, inFlight } = await runCost(isQuick);
  return { what, seen: `${requests} requests, ${inFlight.toFixed(1)} in flight`, aim };
}

const rows: Row[] = [
  await served('GET of a resource, all checks on', { method: 'GET', path: agent }, '≥ 0.75'),
  await served('PUT, validated, stateful', { method: 'PUT', path: agent, body: update }, '≥ 0.55'),
  await started(),
  await memory(),
  await anotherWorld(),
  await reportPage(),
  await conformanceRun('run against a target with 100 ms of latency', false, '≤ 10,000 requests, ≥ 6 in flight'),
  await conformanceRun('the same with --quick', true, '≤ 1,500 requests, ≥ 6 in flight'),
  ...metricsTimings().map(({ what, milliseconds, aim }) => ({
    what,
    seen: `${milliseconds.toFixed(2)} ms`,
    aim: `≤ ${aim} ms`,
  })),
];
console.table(Object.fromEntries(rows.map(({ what, seen, aim }) => [what, { seen, aim }])));
