import { expect, test } from 'vitest';
import { createAcceptedRate, type AcceptedRate } from './accepted-rate.ts';

const LONG_MS = 60_000;

/** After refusals, each of which measured so many requests per second after so many milliseconds. */
function afterRefusals(...refusals: readonly (readonly [measured: number, milliseconds: number])[]): AcceptedRate {
  const rate = createAcceptedRate();
  for (const [measured, milliseconds] of refusals) rate.lower(measured, milliseconds);
  return rate;
}

test('there is no limit before the first refusal', () => {
  expect(createAcceptedRate().rateAfter(LONG_MS)).toBe(Infinity);
});

test('after a refusal, the rate stays below the accepted one for a while, then rises faster and faster', () => {
  const rate = afterRefusals([100, 0]);
  const rates = [0, 2000, 3000, 4000, 8000].map((milliseconds) => Math.round(rate.rateAfter(milliseconds)));
  expect(rates).toEqual([97, 97, 97, 101, 202]);
});

test('a refusal that confirms the rate triples the time until a higher one is tried, up to 40 seconds', () => {
  const holdSeconds = (rate: AcceptedRate): number => {
    let seconds = 0;
    while (rate.rateAfter((seconds + 1) * 1000) === rate.rateAfter(0)) seconds += 1;
    return seconds;
  };
  const times = [1, 2, 3, 4, 5].map((count) =>
    holdSeconds(afterRefusals(...Array.from({ length: count }, () => [100, LONG_MS] as const))),
  );
  expect(times).toEqual([2, 6, 18, 40, 40]);
  expect(holdSeconds(afterRefusals([100, LONG_MS], [100, LONG_MS], [150, LONG_MS]))).toBe(2);
});

test('a rate that is not kept falls faster each time, at most to the one that was kept', () => {
  const refusals = [
    [100, 0],
    [200, LONG_MS], // a higher rate that seems to be accepted
    [200, 1000],
    [200, 1000],
    [200, 1000],
    [200, 1000],
  ] as const;
  const rates = [2, 3, 4, 5, 6].map((count) => Math.round(afterRefusals(...refusals.slice(0, count)).rateAfter(0)));
  expect(rates).toEqual([194, 188, 176, 152, 104]);
  expect(afterRefusals(...refusals, [30, 1000]).rateAfter(0)).toBe(97);
});

test('a measurement that is too low hardly lowers a rate that was kept, and at most halves another one', () => {
  expect(afterRefusals([100, 0], [1, LONG_MS]).rateAfter(0)).toBeCloseTo(97 * 0.97);
  expect(afterRefusals([100, 0], [1, 1000]).rateAfter(0)).toBe(48.5);
});

test('the rate is at least 2 requests per second', () => {
  expect(afterRefusals([1, 0]).rateAfter(0)).toBe(2);
});
