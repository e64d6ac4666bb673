/** resources.shapes.*: successful responses match the documented schemas. */
import { instantOf } from '../expect/instant.ts';
import { replyFindings } from '../../spec/validators.ts';
import { uncheckedReason } from '../../spec/unchecked-response.ts';
import type { Finding } from '../../spec/validators.ts';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { isSuccess } from '../kit/resources/seen-resource.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { cleanUps } from '../kit/images/clean-ups.ts';
import { requestMetrics } from '../kit/metrics/request.ts';
import { DAY, lastOf, pastWindow } from '../kit/metrics/windows.ts';
import { firstWrite, writes } from '../kit/provision/writes.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';
import { deletions } from '../kit/versions/deletions.ts';
import { validReads } from '../kit/versions/requests.ts';
import { agentUpdates } from './resource-responses.ts';

function misfits(exchange: Exchange, shape: readonly Finding[] = exchange.shape): Mismatch[] {
  return shape.map(({ at, allowed, found }) => ({
    expected: `${at === '' ? 'the body' : at} is ${allowed}`,
    actual: found,
    exchange,
  }));
}

judges('resources.shapes.fit-the-schema', 'every', (seen) => {
  const { operation, status, exchange } = seen;
  // A response to HEAD has no body.
  if (!operation.documented || !isSuccess(seen) || exchange.request.method === 'HEAD') return undefined;
  if (uncheckedReason(operation.id, status, exchange.response.headers) !== undefined) return undefined;
  // An unusual timestamp that the server accepts may be echoed as it was sent.
  const echoed = ['startTime', 'endTime'].map((name) => seen.parameter(name));
  if (echoed.some((value) => value !== undefined && instantOf(value) === undefined)) return undefined;
  return misfits(exchange, replyFindings(operation.id, status, seen.json));
});

// The responses of every other case are validated too; the report lists their mismatches.
conforms('resources.shapes.fit-the-schema', async (run) => {
  let successCount = 0;
  const all = await senders(run);
  await run.forEach([...all.keys()], async (what) => {
    const exchanges = await all.get(what)!();
    const successes = exchanges.filter(isSuccessful);
    successCount += successes.length;
    return successes.flatMap((each) => misfits(each));
  });
  run.need(successCount > 0, 'a successful response of a documented operation');
});

/** What each sends to the operations of that name. */
async function senders(run: Run): Promise<ReadonlyMap<string, () => Promise<readonly Exchange[]>>> {
  const { allow } = run.target;
  const writesOfRun = allow === 'read' ? [] : await writes(run);
  return new Map<string, () => Promise<readonly Exchange[]>>([
    ...validReads(run).map(({ id, input }) => [id, async () => [await run.client.call(id, input())]] as const),
    ...writesOfRun.map((write) => [write.id, async () => [(await firstWrite(run, write)).exchange]] as const),
    ['sandbox', () => ofSandbox(run)],
    ['grouped metrics', () => everyGrouping(run)],
    ...(allow === 'read' ? [] : [['agent updates', async () => (await agentUpdates(run, 'mk2')).exchanges] as const]),
    ...(allow === 'read' ? [] : deletions.map(([id, provide]) => [id, () => deletionOf(run, id, provide)] as const)),
    ...(allow === 'destroy' ? [['clean-ups', () => cleanUps(run)] as const] : []),
  ]);
}

/** Grouped metrics; the reads already include ungrouped ones. */
async function everyGrouping(run: Run): Promise<Exchange[]> {
  if (run.target.account === undefined) return [];
  const sets = ['resource_uuid', 'resource_type,billing_dimension'];
  const window = lastOf(pastWindow(run), DAY);
  return Promise.all(sets.map((groupBy) => requestMetrics(run.client, { ...window, groupBy, limit: 10 })));
}

async function ofSandbox(run: Run): Promise<Exchange[]> {
  if (run.target.addresses.sandbox === undefined) return [];
  const uploads = await run.client.call('listMultipartUploads');
  if (run.target.allow === 'read') return [uploads];
  const body = { files: { f: 'text', 'below/f': '' } };
  return [uploads, await run.client.call('writeTree', { path: { path: await newDirectory(run) }, body })];
}

/** Of a resource that the run creates for it. */
async function deletionOf(run: Run, id: Deletion[0], provide: Deletion[1]): Promise<Exchange[]> {
  const { own: path } = await provide(run);
  return path === undefined ? [] : [await run.client.call(id, { path })];
}

type Deletion = (typeof deletions)[number];
