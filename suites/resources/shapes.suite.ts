/** resources.shapes.*: successful responses match the documented schemas. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { cleanUps } from '../kit/images/clean-ups.ts';
import { requestMetrics } from '../kit/metrics/request.ts';
import { DAY, lastOf, pastWindow } from '../kit/metrics/windows.ts';
import { firstWrite, writes } from '../kit/provision/writes.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';
import { deletions } from '../kit/versions/deletions.ts';
import { validReads } from '../kit/versions/requests.ts';
import { agentUpdates } from './resource-responses.ts';

function misfits(exchange: Exchange): Mismatch[] {
  return exchange.shape.map(({ at, allowed, found }) => ({
    expected: `${at === '' ? 'the body' : at} is ${allowed}`,
    actual: found,
    exchange,
  }));
}

// The responses of every other case are validated too; the report lists their mismatches.
conforms('resources.shapes.fit-the-schema', async (run) => {
  const exchanges: Exchange[] = [];
  for (const { id, input } of validReads(run)) exchanges.push(await run.client.call(id, input()));
  exchanges.push(...(await everyGrouping(run)), ...(await ofSandbox(run)));
  if (run.target.allow !== 'read') exchanges.push(...(await ofWrites(run)));
  const successes = exchanges.filter(({ response: { status } }) => status >= 200 && status < 300);
  run.need(successes.length > 0, 'a successful response of a documented operation');
  for (const exchange of successes) run.check(misfits(exchange));
});

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

/** Creates, updates, and deletions of resources that the run creates for them. */
async function ofWrites(run: Run): Promise<Exchange[]> {
  const exchanges = [];
  for (const write of await writes(run)) exchanges.push((await firstWrite(run, write)).exchange);
  exchanges.push(...(await agentUpdates(run, 'mk2')).exchanges);
  for (const [id, provide] of deletions) {
    const { own: path } = await provide(run);
    if (path !== undefined) exchanges.push(await run.client.call(id, { path }));
  }
  if (run.target.allow === 'destroy') exchanges.push(...(await cleanUps(run)));
  return exchanges;
}
