/** What is refused with 429 again and again, while other requests are accepted, is not tried (decisions 049 and 055). */
import { expect, test } from 'vitest';
import { changeMock } from '../../mock/testing/control-client.ts';
import { startMock } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

test.each([
  ['watchDirectory', 'not-tried', 'a watch that is not refused with 429'],
  ['writeTree', 'not-tried', 'too many requests (429)'],
])('if the target refuses each %s with 429, the verdict on watches is %s', async (operation, verdict, reason) => {
  await using mock = await startMock();
  await changeMock(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation, status: 429 }] });
  const [outcome] = await runOnTarget(
    { ...mock.target, allow: 'write' },
    { selected: ['sandbox.watch.watchers-independent'], patienceSeconds: 0 },
  );
  expect(outcome?.result.verdict).toBe(verdict);
  expect(JSON.stringify(outcome?.result)).toContain(reason);
});

test('if writes are slow without a watch, too, the verdict on watches is not-tried', async () => {
  await using mock = await startMock();
  await changeMock(mock.addresses.host, 'PUT', '/faults', {
    rules: [{ operation: 'writeTree', path: '/*/13ddd*', delayMs: 4500 }],
  });
  const [outcome] = await runOnTarget(
    { ...mock.target, allow: 'write' },
    { selected: ['sandbox.watch.watchers-independent'], patienceSeconds: 4 },
  );
  expect(outcome?.result).toMatchObject({
    verdict: 'not-tried',
    reason: expect.stringContaining('a sandbox that responds to such a write within'),
  });
});
