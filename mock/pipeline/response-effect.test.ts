import { expect, test } from 'vitest';
import { createRandom } from '../time/random.ts';
import { drawDelay } from './response-effect.ts';

test('delays have the median and the 99th percentile of the distribution', () => {
  const random = createRandom(7);
  const delays = Array.from({ length: 20_000 }, () => drawDelay({ p50: 80, p99: 900 }, random)).sort((a, b) => a - b);
  expect(Math.abs((delays[10_000] ?? 0) - 80)).toBeLessThan(4);
  expect(Math.abs((delays[19_800] ?? 0) - 900)).toBeLessThan(120);
});

test('a number is the delay itself', () => {
  expect(drawDelay(30, createRandom(7))).toBe(30);
});
