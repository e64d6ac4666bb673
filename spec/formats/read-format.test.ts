import { expect, test } from 'vitest';
import { z } from 'zod';
import { readFormat } from './read-format.ts';

test('of data with many mistakes, only the first is looked for', () => {
  let checked = 0;
  const even = z.number().refine((value) => ((checked += 1), value % 2 === 0), { error: 'even' });
  expect(() =>
    readFormat(
      z.array(even),
      Array.from({ length: 10_000 }, (_, at) => at),
    ),
  ).toThrow('[1]: 1 is not even.');
  expect(checked).toBe(2);
});
