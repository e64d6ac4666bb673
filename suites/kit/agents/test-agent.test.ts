import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { isReadable } from './test-agent.ts';

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
