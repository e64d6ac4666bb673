import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { checkUnchanged, isReadable, put, refusedMetadata, refusedSpec, sendBaseline } from './test-agent.ts';

/** Whether an agent is readable if its reads return these statuses, with the last update from the third one on. */
async function isReadableIf(statuses: readonly number[]): Promise<boolean> {
  let updated: unknown;
  let reads = 0;
  await using server = await localServer(({ method, body }) => {
    if (method === 'PUT') updated = JSON.parse(body);
    if (method === 'PUT') return { body: updated };
    const status = statuses[reads] ?? 200;
    reads += 1;
    return { status, body: reads > 2 ? updated : {} };
  });
  const run = openTestRun({ address: server.address, allow: 'write' });
  return await isReadable(run, { name: 'demo-agent', generation: 'mk2' });
}

test('a failure of a later read does not make an agent unreadable', async () => {
  expect(await isReadableIf([200, 503, 200])).toBe(true);
});

test('an agent whose first read fails is not readable', async () => {
  expect(await isReadableIf([404])).toBe(false);
});

test('what a refused update of an earlier run has left is no trace of an update of this run', async () => {
  let isFaulty = true;
  const variables: object[] = [];
  let agent: Fields = {};
  await using server = await localServer(({ method, body }) => {
    const { metadata, spec } = fieldsOf(body === '' ? {} : JSON.parse(body)) ?? {};
    const isRefused = fieldsOf(spec)?.['enabled'] === false;
    // Keeps what refused updates send as a variable, which later updates do not remove.
    if (isRefused && isFaulty) variables.push({ name: 'KEPT', value: JSON.stringify(metadata) });
    if (isRefused) return { status: 400, body: {} };
    if (method === 'PUT') agent = { metadata, spec };
    const runtime = { ...fieldsOf(fieldsOf(agent['spec'])?.['runtime']), envs: variables };
    return { body: { ...agent, spec: { ...fieldsOf(agent['spec']), runtime } } };
  });
  const testAgent = { name: 'demo-agent', generation: 'mk2' } as const;
  const actuals: unknown[] = [];
  for (const runId of ['first', 'second']) {
    const run = openTestRun({ address: server.address, allow: 'write', runId, patienceSeconds: 0 });
    const baseline = await sendBaseline(run, testAgent);
    await put(run, testAgent, refusedSpec(run), refusedMetadata(run));
    actuals.push((await checkUnchanged(run, baseline)).map(({ actual }) => actual));
    isFaulty = false;
  }
  expect(actuals).toEqual([['a value of a refused update'], []]);
});
