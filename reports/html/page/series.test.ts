import { expect, test } from 'vitest';
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { bucketLabels, lastSeries } from './series.ts';

function exchange(
  number: number,
  body: string | null,
  operation: ExchangeRecord['operation'] = 'getAccountMetrics',
): ExchangeRecord {
  return {
    number,
    ...(operation === undefined ? {} : { operation }),
    request: { method: 'GET', url: 'http://a/', headers: {}, body: null },
    answer: { status: 200, headers: {}, body },
    durationMs: 1,
    findings: [],
  };
}

const entry = (workspace: string, points: unknown[]) => ({ workspace, summary: { cost: 1 }, timeseries: points });
const day = (date: number, cost: unknown, more: object = {}) => ({
  timestamp: `2026-11-0${date}T00:00:00Z`,
  cost,
  ...more,
});
const seconds = (date: number): number => Date.UTC(2026, 10, date) / 1000;

test('all groups share one time axis, and a missing bucket is a gap', () => {
  const body = JSON.stringify({ data: [entry('a', [day(2, 5), day(1, 4)]), entry('b', [day(3, 6)])] });
  expect(lastSeries([exchange(1, body)])?.series).toEqual([
    {
      figure: 'cost',
      times: [seconds(1), seconds(2), seconds(3)],
      groups: [
        { name: 'a', values: [4, 5, null] },
        { name: 'b', values: [null, null, 6] },
      ],
    },
  ]);
});

test('usage is a series of its own', () => {
  const body = JSON.stringify({ data: [entry('a', [day(1, 4, { usage: 9 })])] });
  expect(lastSeries([exchange(1, body)])?.series.map(({ figure }) => figure)).toEqual(['cost', 'usage']);
});

test('the last response with a series is used, other operations and errors are not', () => {
  const body = (cost: number) => JSON.stringify({ data: [entry('a', [day(1, cost)])] });
  const found = lastSeries([
    exchange(1, body(1)),
    exchange(2, body(2)),
    exchange(3, body(3), 'listAccounts'),
    exchange(4, '{"error":"no"}'),
    exchange(5, null),
  ]);
  expect(found?.exchange.number).toBe(2);
});

test('a truncated response yields the buckets before the cut', () => {
  const body = JSON.stringify({ data: [entry('a', [day(1, 4), day(2, 5), day(3, 6)])] });
  const found = lastSeries([exchange(1, `${body.slice(0, -30)}… (99 characters in all)`)]);
  expect(found).toMatchObject({ whole: false, series: [{ times: [seconds(1), seconds(2)] }] });
});

test('more than six groups are counted, not drawn', () => {
  const body = JSON.stringify({ data: Array.from({ length: 9 }, (_, index) => entry(`g${index}`, [day(1, 4)])) });
  const found = lastSeries([exchange(1, body)]);
  expect(found?.series[0]?.groups).toHaveLength(6);
  expect(found?.hiddenGroupCount).toBe(3);
});

test.each(['{"data":[null,5,{"timeseries":[null,{"timestamp":"never","cost":1}]}]}', '{"data":{}}', '[]', 'null', ''])(
  '%s has no series',
  (body) => {
    expect(lastSeries([exchange(1, body)])).toBeUndefined();
  },
);

const at = (...times: string[]): number[] => times.map((time) => Date.parse(`${time}:00Z`) / 1000);

test('the axis shows the date at the first bucket of a day, and only dates at midnights', () => {
  const labels = bucketLabels(at('2026-11-14T16:00', '2026-11-14T20:00', '2026-11-15T00:00', '2026-11-15T04:00'));
  expect(labels).toEqual(['16:00\n2026-11-14', '20:00', '00:00\n2026-11-15', '04:00']);
  expect(bucketLabels(at('2026-11-14T00:00', '2026-11-16T00:00'))).toEqual(['2026-11-14', '2026-11-16']);
});
