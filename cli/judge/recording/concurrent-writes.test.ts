import { expect, test } from 'vitest';
import { markConcurrentWrites } from './concurrent-writes.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

const exchange = (method: string, path: string, startedAt?: number, endedAt?: number): RecordedExchange => ({
  source: 'run.har',
  method,
  url: `http://a${path}`,
  requestHeaders: [],
  requestBody: { text: '' },
  status: 200,
  responseHeaders: [],
  responseBody: { text: '' },
  ...(startedAt !== undefined && { startedAt }),
  ...(endedAt !== undefined && { endedAt }),
  isCallerUnknown: false,
  isRepeat: false,
});

const concurrentIn = (...exchanges: RecordedExchange[]) =>
  markConcurrentWrites(exchanges).map(({ isConcurrent = false }) => isConcurrent);

test('writes to one path whose times overlap are concurrent, those one after the other are not', () => {
  const first = exchange('PUT', '/agents/a', 0, 100);
  expect(concurrentIn(first, exchange('PUT', '/agents/a?x=1', 50, 60), exchange('PUT', '/agents/a', 90, 120))).toEqual([
    true,
    true,
    true,
  ]);
  expect(concurrentIn(first, exchange('PUT', '/agents/a', 100, 120))).toEqual([false, false]);
});

test('another path and a read are not concurrent', () => {
  const first = exchange('PUT', '/agents/a', 0, 100);
  expect(concurrentIn(first, exchange('PUT', '/agents/b', 50, 60), exchange('GET', '/agents/a', 50, 60))).toEqual([
    false,
    false,
    false,
  ]);
});

test('without times, two writes to one path may be concurrent', () => {
  expect(
    concurrentIn(exchange('PUT', '/agents/a'), exchange('PUT', '/agents/a'), exchange('PUT', '/agents/b')),
  ).toEqual([true, true, false]);
});
