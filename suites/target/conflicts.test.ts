import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConflicts } from './conflicts.ts';

type Head = { status: number; headers: Record<string, string> };

/** Sends requests whose statuses come from `respond`, which knows how many others are in progress. */
function sending(respond: (others: number, method: string) => Head | number) {
  let inProgress = 0;
  const statuses: number[] = [];
  const waits: number[] = [];
  const conflicts = createConflicts({ wait: async (seconds) => void waits.push(seconds), maxSeconds: 60 });
  const send = async (path: string, method = 'PUT'): Promise<number> => {
    const { status } = await conflicts.send({ method, origin: 'http://a', path }, async () => {
      const response = respond(inProgress, method);
      const head = typeof response === 'number' ? { status: response, headers: {} } : response;
      statuses.push(head.status);
      inProgress += 1;
      await wait(5);
      inProgress -= 1;
      return head;
    });
    return status;
  };
  const sendAll = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => send(`/tree/${at}`)));
  return { send, sendAll, statuses, waits };
}

const all = (count: number, status: number): number[] => Array.from({ length: count }, () => status);
const later = (status: number, seconds = 1): Head => ({ status, headers: { 'retry-after': `${seconds}` } });

test.each([409, 423, later(423)])('writes that are refused while another one runs are repeated alone', async (busy) => {
  const { sendAll, statuses, waits } = sending((others) => (others > 0 ? busy : 200));
  expect(await sendAll(6)).toEqual(all(6, 200));
  expect(statuses).toHaveLength(11);
  expect(waits).toHaveLength(typeof busy === 'number' ? 0 : 5);
  // From now on one after the other.
  expect(await sendAll(6)).toEqual(all(6, 200));
  expect(statuses.slice(11)).toEqual(all(6, 200));
});

test('a read that is refused while a write runs is repeated alone', async () => {
  const { send } = sending((others, method) => (method === 'GET' && others > 0 ? 423 : 200));
  expect(await Promise.all([send('/tree/a'), send('/tree/a', 'GET')])).toEqual([200, 200]);
});

test('a refusal that does not come from other requests is returned', async () => {
  const { send, sendAll, statuses } = sending(() => 409);
  expect(await send('/tree/a')).toBe(409);
  expect(statuses).toHaveLength(1);
  expect(await sendAll(4)).toEqual(all(4, 409));
  expect(statuses).toHaveLength(1 + 2 * 4);
});

test('an endless Retry-After is respected three times, then once', async () => {
  const { send, statuses, waits } = sending(() => later(423, 2));
  expect(await send('/tree/a')).toBe(423);
  expect(waits).toEqual([2, 2, 2]);
  expect(await send('/tree/a')).toBe(423);
  expect(statuses).toHaveLength(4 + 2);
});

test('a Retry-After beyond the limit is not respected', async () => {
  const { send, statuses } = sending(() => later(409, 3600));
  expect(await send('/tree/a')).toBe(409);
  expect(statuses).toHaveLength(1);
});

test('writes run at the same time again if refusals do not come from that', async () => {
  let count = 0;
  let most = 0;
  const { sendAll } = sending((others) => {
    most = Math.max(most, others);
    return (count += 1) % 5 === 2 ? later(409) : 200;
  });
  await sendAll(4);
  await sendAll(8);
  most = 0;
  await sendAll(4);
  expect(most).toBe(3);
});
