import { expect, test } from 'vitest';
import type { Exchange } from '../target/exchange.ts';
import { acceptedUnlessLarge, controlCharacters, labelSizes, levelsOf, type Sizes } from './large-input.ts';

function judge(status: number, sizes: Sizes) {
  const skipped: string[] = [];
  const run = {
    skipInput(missing: string) {
      skipped.push(missing);
      return [];
    },
  };
  const exchange = { response: { status } } as Exchange;
  return { skipped, mismatches: acceptedUnlessLarge(run, exchange, sizes).map(({ actual }) => actual) };
}

test.each([400, 413, 422])('a large input that is refused with %i shows nothing', (status) => {
  const sizes: Sizes = { tasks: [12, 3], characters: [20, 300] };
  expect(judge(status, sizes)).toEqual({
    skipped: [`a target that accepts 12 tasks (refused with status ${status})`],
    mismatches: [],
  });
});

test.each([400, 413, 422])('a small input must not be refused with %i', (status) => {
  expect(judge(status, { tasks: [3, 3] })).toEqual({ skipped: [], mismatches: [`status ${status}`] });
});

test.each([401, 404, 409, 500, 502])('a large input must not be answered with %i', (status) => {
  expect(judge(status, { tasks: [12, 3] })).toEqual({ skipped: [], mismatches: [`status ${status}`] });
});

test('a large input that is accepted is no mismatch', () => {
  expect(judge(200, { tasks: [12, 3] })).toEqual({ skipped: [], mismatches: [] });
});

test('levels, control characters and labels are counted', () => {
  expect([levelsOf('x'), levelsOf({}), levelsOf([{ a: [null] }])]).toEqual([0, 1, 3]);
  expect([controlCharacters('a\nb\tc'), controlCharacters('a\r\n\0')]).toEqual([
    [0, 0],
    [2, 0],
  ]);
  expect(labelSizes({ a: 'x', 'long-key-': 'yy' })).toEqual({ labels: [2, 3], 'characters in a label': [9, 30] });
  expect(labelSizes(undefined)).toEqual({ labels: [0, 3], 'characters in a label': [0, 30] });
});
