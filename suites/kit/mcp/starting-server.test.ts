import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { functionEndpoint } from './endpoints.ts';
import { inSession } from './session.ts';

/** A server that responds to the first `initialize` with this status, and to the second one correctly. */
function startingServer(status: number) {
  let count = 0;
  return localServer(({ method }) => {
    if (method !== 'POST') return { status: 405 };
    count += 1;
    if (count === 1) return { status, body: {} };
    return { body: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18', capabilities: {} } } };
  });
}

test.each([
  [503, '2025-06-18'],
  [400, undefined],
])('after status %d for a version that may be refused, the chosen version is %s', async (status, version) => {
  await using server = await startingServer(status);
  const run = openTestRun({ address: server.address });
  const options = { offered: '2025-06-18', mayBeRefused: true };
  const chosen = await inSession(run, functionEndpoint('tools'), async (session) => session.protocolVersion, options);
  expect(chosen).toBe(version);
});
