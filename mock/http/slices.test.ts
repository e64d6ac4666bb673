import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInSlices, mapInSlices } from './slices.ts';

async function textOf(value: unknown, depth: number): Promise<string> {
  let text = '';
  for await (const piece of jsonInSlices(value, depth)) text += piece;
  return text;
}

test('the pieces are the JSON of the value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 0, max: 5 }), async (value, depth) => {
      expect(await textOf(value, depth)).toBe(JSON.stringify(value));
    }),
    { numRuns: 50 },
  );
  expect(await textOf({ a: undefined, b: [undefined, {}] }, 3)).toBe('{"b":[null,{}]}');
});

test('between slices other work is done', async () => {
  let isDone = false;
  let turns = 0;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const busy = (item: number): number => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    return item + 1;
  };
  expect(
    (
      await mapInSlices(
        Array.from({ length: 60 }, (_, index) => index),
        busy,
      )
    ).at(-1),
  ).toBe(60);
  isDone = true;
  expect(turns).toBeGreaterThan(3);
});
