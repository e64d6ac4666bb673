/** Reads and writes everything in a world, and lets its time pass. */
import { setTimeout } from 'node:timers/promises';
import { operations, type OperationId } from '../../../spec/operations.ts';
import { callControl } from '../control-client.ts';
import type { LivelyMock } from './lively-mock.ts';
import { redeemGrants } from './redeem-grants.ts';

const ids = operations.map(({ id }) => id);
const isRead = (id: OperationId): boolean => /^(?:list|get|read|watch)/.test(id);
const reads = ids.filter(isRead);
/** What deletes comes last. */
const writes = ids
  .filter((id) => !isRead(id))
  .toSorted((a, b) => Number(a.startsWith('delete')) - Number(b.startsWith('delete')));
const controlReads = ['/target', '/clock', '/requests', '/invocations', '/outbox', '/faults', '/resources', '/worlds'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;

/** Sends a valid request of every operation. Returns the requests that the mock could not handle; it has logged why. */
export async function tourWorld(lively: LivelyMock): Promise<string[]> {
  const found = [...(await sendAll(lively, reads)), ...(await readLists(lively))];
  for (const { what, status, text } of await redeemGrants(lively.mock.addresses.host, lively.snapshot))
    if (isInternalError(status, text)) found.push(`${what}: 500`);
  found.push(...(await sendAll(lively, writes)));
  await setClock(lively, { advanceMs: DAY_MS }, found);
  found.push(...(await sendAll(lively, reads)));
  await setClock(lively, { now: '2026-11-20T00:00:00Z' }, found);
  found.push(...(await readLists(lively)));
  return [...new Set(found)];
}

async function setClock({ mock }: LivelyMock, to: object, found: string[]): Promise<void> {
  const { status } = await callControl(mock.addresses.host, 'PUT', '/clock', to);
  if (status !== 200) found.push(`PUT /clock ${JSON.stringify(to)}: ${status}`);
}

async function sendAll(lively: LivelyMock, operationIds: readonly OperationId[]): Promise<string[]> {
  const { sender } = lively;
  return settleAll(
    lively,
    operationIds.map(async (id) => [id, await sender.sendValid(id)] as const),
  );
}

/** The control API, and every resource that a list of the world names. */
async function readLists(lively: LivelyMock): Promise<string[]> {
  const { mock } = lively;
  const { management, host } = mock.addresses;
  const headers = { authorization: `Bearer ${mock.target.credentials.admin.value}` };
  const read = async (url: string) => {
    const response = await fetch(url, { headers });
    return [url, { status: response.status, text: await response.text() }] as const;
  };
  const { body } = await callControl(host, 'GET', '/resources');
  const names = ((body as { resources?: { collection: string; name: string }[] }).resources ?? []).slice(0, 40);
  const metrics = ['resource_type', 'resource_name', 'billing_dimension', 'workspace'].map(
    (by) =>
      `${management}/accounts/${mock.target.account}/metrics?startTime=2026-11-18T00:00:00Z&endTime=2026-11-24T00:00:00Z&resolution=hourly&groupBy=${by}`,
  );
  return settleAll(lively, [
    ...controlReads.map((path) => read(`${host}/_mock${path}`)),
    ...names.map(({ collection, name }) => read(`${management}/${collection}/${name}`)),
    ...metrics.map(read),
  ]);
}

type Sent = readonly [what: string, response: { readonly status: number; readonly text: string | undefined }];

/** How much time of the world passes at a step, in milliseconds: more and more, up to a year. Some responses wait for it. */
const STEPS: readonly number[] = [
  0,
  0,
  0,
  0,
  0,
  1000,
  2000,
  5000,
  10_000,
  60_000,
  HOUR_MS,
  HOUR_MS,
  DAY_MS,
  DAY_MS,
  YEAR_MS,
];
/** How long a step lasts in real time. */
const STEP_MS = 10;
const MAX_STEPS = 60;
/** In real time, for the slowest machine. */
const MAX_WAIT_MS = 60_000;

/** Time passes until all responses have arrived: some wait for it. A step in which a response arrives does not count. */
async function settleAll({ mock }: LivelyMock, sent: readonly Promise<Sent>[]): Promise<string[]> {
  const all = Promise.allSettled(sent);
  const deadline = performance.now() + MAX_WAIT_MS;
  const arrivedCount = countSettled(sent);
  let step = 0;
  while (performance.now() < deadline) {
    const before = arrivedCount();
    const settled = await Promise.race([all, setTimeout(STEP_MS, undefined)]);
    if (settled !== undefined) return settled.flatMap(faultOf);
    const isWaiting = arrivedCount() === before && mock.world.timers.count() > 0;
    if (isWaiting && step < MAX_STEPS) mock.world.clock.advance(STEPS[step++] ?? YEAR_MS);
  }
  return ['a request: no response'];
}

/** Returns how many of them have settled so far. */
function countSettled(promises: readonly Promise<unknown>[]): () => number {
  let count = 0;
  const add = () => void count++;
  for (const promise of promises) promise.then(add, add);
  return () => count;
}

function faultOf(settled: PromiseSettledResult<Sent>): string[] {
  if (settled.status === 'rejected') return isExpected(settled.reason) ? [] : [`a request: ${String(settled.reason)}`];
  const [what, { status, text = '' }] = settled.value;
  return isInternalError(status, text) ? [`${what}: 500`] : [];
}

/** Scripted errors of the world can have any status. */
const isInternalError = (status: number, text: string): boolean =>
  status === 500 && text.includes('Internal error of the mock');

/** A request that another one should have prepared, or to a sandbox that the target does not name. */
const isExpected = (reason: unknown): boolean =>
  reason instanceof SyntaxError || (reason instanceof TypeError && reason.message === 'Invalid URL');
