/** Measures lists and metrics of worlds with many resources, from the call of an endpoint to the bytes of its response. */
import { defaultWorld } from '../fixtures/worlds/default.ts';
import { meteredPast } from '../fixtures/worlds/metered-past.ts';
import type { WorldFile } from '../spec/formats/world-file.ts';
import { meterCompute } from '../mock/domains/resources/uses.ts';
import { endpoints } from '../mock/endpoints/index.ts';
import { listResources } from '../mock/state/resources.ts';
import { addresses, callOf, NOW, type EndpointRequest } from '../mock/testing/call-endpoint.ts';
import { createClock } from '../mock/time/clock.ts';
import { loadWorld } from '../mock/world/load.ts';
import type { World } from '../mock/world/world.ts';
import { cpuMilliseconds } from './cpu.ts';

export interface LargeWorldTiming {
  readonly what: string;
  /** Real time for the first response, which groups the usage of all resources: CPU time may be counted in steps of 4 ms. */
  readonly first: number;
  /** CPU time of the thread for one response; the mean of several. */
  readonly milliseconds: number;
  /** The same for the first response after another resource was added or changed. */
  readonly afterChange: number;
}

type Query = Readonly<Record<string, string>>;

/** 120 buckets each, except the last two. */
const FIVE_DAYS = { startTime: '2026-11-16T00:00:00Z', endTime: '2026-11-21T00:00:00Z', resolution: 'hourly' };
const TEN_YEARS = { startTime: '2016-11-01T00:00:00Z', endTime: '2026-11-01T00:00:00Z', resolution: 'monthly' };
const QUARTER = { startTime: '2026-08-24T00:00:00Z', endTime: '2026-11-21T00:00:00Z', resolution: 'daily' };
const YEAR = { startTime: '2025-11-24T00:00:00Z', endTime: '2026-11-16T00:00:00Z', resolution: 'weekly' };
const BY_ALL = { groupBy: 'resource_uuid,billing_dimension' };

const queries: readonly (readonly [what: string, query: Query])[] = [
  ['120 hours, no groupBy', FIVE_DAYS],
  ['120 months, no groupBy', TEN_YEARS],
  ['120 hours, one type', { ...FIVE_DAYS, resourceType: 'agent' }],
  ['120 months, one type', { ...TEN_YEARS, resourceType: 'agent' }],
  ['120 hours, by uuid and dimension', { ...FIVE_DAYS, ...BY_ALL }],
  ['120 months, by uuid and dimension', { ...TEN_YEARS, ...BY_ALL }],
  ['120 hours, one workspace, by type', { ...FIVE_DAYS, workspace: 'demo', groupBy: 'resource_type' }],
  ['120 hours, one name', { ...FIVE_DAYS, resourceName: 'demo-agent' }],
  ['89 days, by name', { ...QUARTER, groupBy: 'resource_name' }],
  ['51 weeks, by workspace', { ...YEAR, groupBy: 'workspace' }],
];

const measurements: readonly { readonly what: string; readonly send: (world: World) => void }[] = [
  { what: 'list of agents', send: (world) => void respond(world, 'listAgents') },
  ...queries.map(([what, query]) => ({
    what: `metrics, ${what}`,
    send: (world: World) => respondWithMetrics(world, query),
  })),
];

const ROUNDS = 21;
const RESOURCES_OF_SCALE_1 = 300;

/** `count`: of metered resources, approximately. A third of them are agents, each of which has served requests. */
export function largeWorldTimings(count: number): LargeWorldTiming[] {
  // On small worlds, until the code is compiled.
  for (let round = 0; round < ROUNDS; round++) {
    const small = worldOf(RESOURCES_OF_SCALE_1);
    for (const { send } of measurements) send(small);
  }
  const world = worldOf(count);
  const change = changing(world);
  return measurements.map(({ what, send }) => {
    const start = performance.now();
    send(world);
    const first = performance.now() - start;
    for (let round = 0; round < 3; round++) send(world);
    const milliseconds = meanOf(
      () => send(world),
      () => {},
    );
    return { what, first, milliseconds, afterChange: meanOf(() => send(world), change) };
  });
}

function respondWithMetrics(world: World, query: Query): void {
  const accountId = world.callers.get('ada@demo.example')?.account ?? '';
  respond(world, 'getAccountMetrics', { path: { accountId }, query });
}

function worldOf(count: number): World {
  const file = defaultWorld(1, NOW);
  const own = file.resources.slice(meteredPast(1, NOW).length);
  const limits = {
    resources: 10 * count,
    meteredResources: 10 * count,
    meterEvents: 100 * count,
    resourceBytes: 2 ** 30,
  };
  const large: WorldFile = {
    ...file,
    limits,
    resources: [...meteredPast(1, NOW, count / RESOURCES_OF_SCALE_1), ...own],
  };
  const world = loadWorld(large, { seed: 1, clock: createClock(NOW, 'frozen'), addresses, brand: 'Svc' });
  addRequests(world);
  return world;
}

const DAY_MS = 86_400_000;

function addRequests(world: World): void {
  for (const workspace of world.workspaces.keys())
    for (const [nth, resource] of listResources(world, `${workspace}/agents`).entries())
      for (const days of [1, 2, 4])
        meterCompute(world, 'agent_compute_runtime_gbs', resource, NOW - days * DAY_MS - nth * 7000);
}

/** Updates an agent, each time with another memory, and creates another one. */
function changing(world: World): () => void {
  let nth = 0;
  const agent = (name: string) => ({ metadata: { name }, spec: { runtime: { memory: 256 * (1 + (nth % 8)) } } });
  return () => {
    nth += 1;
    respond(world, 'updateAgent', { path: { agentName: 'demo-agent' }, body: agent('demo-agent') });
    respond(world, 'createAgent', { body: agent(`added-${nth}-${Math.round(performance.now())}`) });
  };
}

/** The bytes of the response. */
function respond<Id extends 'listAgents' | 'getAccountMetrics' | 'updateAgent' | 'createAgent'>(
  world: World,
  id: Id,
  request: EndpointRequest<Id> = {},
): Uint8Array {
  const endpoint = endpoints[id] as (call: unknown) => { body: unknown };
  const { body } = endpoint(callOf(world, id, request));
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

/** The mean: some systems count CPU time in steps of 4 ms, and a median would be one of them. */
function meanOf(send: () => void, prepare: () => void): number {
  let total = 0;
  for (let round = 0; round < ROUNDS; round++) {
    prepare();
    total += timeOf(send);
  }
  return total / ROUNDS;
}

function timeOf(send: () => void): number {
  const before = cpuMilliseconds();
  send();
  return cpuMilliseconds() - before;
}

if (import.meta.main) console.table(largeWorldTimings(Number(process.argv[2] ?? 10_000)));
