import { expect, test } from 'vitest';
import { createOrderedQueue } from './in-order.ts';

function queueWithClock() {
  const passed: string[] = [];
  const clock = { now: 0, late: 0 };
  const queue = createOrderedQueue<string>({
    pass: (item) => void passed.push(item),
    onLate: () => void (clock.late += 1),
    now: () => clock.now,
  });
  return { queue, passed, clock };
}

test('exchanges are passed on in the order in which they began', () => {
  const { queue, passed } = queueWithClock();
  const [first, second, third] = [queue.begin(), queue.begin(), queue.begin()];
  queue.end(second, 'second', 1);
  expect(passed).toEqual([]);
  queue.end(first, 'first', 1);
  expect(passed).toEqual(['first', 'second']);
  queue.end(third, undefined, 0);
  queue.end(queue.begin(), 'fourth', 1);
  expect(passed).toEqual(['first', 'second', 'fourth']);
});

test('later exchanges do not wait for one that takes long, which is then late', () => {
  const { queue, passed, clock } = queueWithClock();
  const [stream, next] = [queue.begin(), queue.begin()];
  queue.end(next, 'next', 1);
  clock.now = 11_000;
  queue.end(queue.begin(), 'last', 1);
  expect(passed).toEqual(['next', 'last']);
  queue.end(stream, 'stream', 1);
  expect({ passed, late: clock.late }).toEqual({ passed: ['next', 'last'], late: 1 });
});

test('an exchange that takes long is not late if no other one waits', () => {
  const { queue, passed, clock } = queueWithClock();
  const only = queue.begin();
  clock.now = 60_000;
  queue.end(only, 'only', 1);
  expect(passed).toEqual(['only']);
});

test.each([
  ['many', 201, 1],
  ['large', 2, 9 * 2 ** 20],
])('%s waiting exchanges are passed on', (_, count, size) => {
  const { queue, passed } = queueWithClock();
  queue.begin();
  for (let n = 0; n < count; n += 1) queue.end(queue.begin(), 'item', size);
  expect(passed.length).toBeGreaterThan(0);
});

test('flush passes on everything that has ended', () => {
  const { queue, passed } = queueWithClock();
  queue.begin();
  queue.end(queue.begin(), 'second', 1);
  queue.flush();
  expect(passed).toEqual(['second']);
});
