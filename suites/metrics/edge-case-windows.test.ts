import { expect, test } from 'vitest';
import { edgeCaseWindows } from './edge-case-windows.ts';

test('an index means a window of the same kind in the first days of a year, when there are fewer', () => {
  const [november, january] = [Date.UTC(2026, 10, 25), Date.UTC(2027, 0, 2)].map((latest) =>
    edgeCaseWindows(latest).map(({ resolution }) => resolution),
  );
  expect(january!.length).toBeLessThan(november!.length);
  expect(november!.slice(0, january!.length)).toEqual(january);
});
