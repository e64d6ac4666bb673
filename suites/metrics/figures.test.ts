/** When two sums of printed numbers are near each other: however many decimals a target prints. */
import { expect, test } from 'vitest';
import { near, printed, sumMismatches, sumOfItems } from './figures.ts';

const items = (...costs: number[]) => sumOfItems(costs.map((cost) => ({ timestamp: '', cost })));

test.each([
  ['whole numbers, exactly', items(1, 2, 3), items(6), items(7)],
  ['two decimals, each rounded by itself', items(0.33, 0.33, 0.33), items(1.01, 0), items(1.5)],
  ['four decimals', items(0.3333, 0.3333, 0.3333), items(1), items(1.001)],
  ['six decimals', items(0.333333, 0.333333, 0.333333), items(1), items(1.00001)],
  ['as many as there are', items(1 / 3, 1 / 3, 1 / 3), items(1), items(1.00001)],
  ['nothing', items(), items(0, 0), items(0.01)],
])('%s', (_, sum, nearOne, farOne) => {
  expect(sumMismatches('a sum', sum, nearOne)).toEqual([]);
  expect(sumMismatches('a sum', sum, farOne)).toHaveLength(1);
});

test('one decimal is taken for two', () => {
  expect(near(printed(0.5), printed(0.6))).toBe(false);
});

test('answers to one question are the same to the last decimal', () => {
  expect(sumMismatches('again', items(0.33), items(0.34), { relation: 'same' })).toHaveLength(1);
  expect(sumMismatches('again', items(0.33), items(0.33 + 1e-12), { relation: 'same' })).toEqual([]);
});

test('what is no number is near nothing', () => {
  const text = sumOfItems([{ timestamp: '', cost: '1' as unknown as number }]);
  expect(sumMismatches('a sum', text, text)).toHaveLength(1);
});
