import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlocks } from './blocks.ts';

test('chunks of any length are collected in order, and the announced bytes are enough for them', () => {
  const lengths = fc.array(fc.oneof(fc.nat(3), fc.nat(200_000)), { maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.boolean(), (all, startsWithFirst) => {
      const chunks = all.map((length, index) => Buffer.alloc(length, index + 1));
      const first = startsWithFirst ? chunks[0] : undefined;
      const others = first === undefined ? chunks : chunks.slice(1);
      const blocks = createBlocks(first);
      let allocated = first?.length ?? 0;
      for (const chunk of others) {
        allocated += blocks.needed(chunk);
        blocks.append(chunk);
      }
      const whole = blocks.concat();
      expect(whole.equals(Buffer.concat(chunks))).toBe(true);
      expect(allocated).toBeGreaterThanOrEqual(whole.length);
      expect(allocated).toBeLessThan(whole.length + 2 ** 16);
    }),
    { numRuns: 50 },
  );
});

test('a single first chunk is not copied', () => {
  const chunk = Buffer.from('body');
  expect(createBlocks(chunk).concat()).toBe(chunk);
});
