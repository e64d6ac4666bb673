import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyPairOfThree } from './every-pair-of-three.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('every pair of two lists occurs, with one triple per pair of the two longer lists', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(lengths, ([one = 1, other = 1, third = 1]) => {
      const [shortest, ...longer] = [one, other, third].toSorted((a, b) => a - b);
      const [first, second] = fc.sample(fc.shuffledSubarray(longer, { minLength: 2 }), 1)[0]!;
      const triples = everyPairOfThree(numbers(first!), numbers(second!), numbers(shortest!));
      expect(triples).toHaveLength(first! * second!);
      const pairs = (a: 0 | 1 | 2, b: 0 | 1 | 2) => new Set(triples.map((each) => `${each[a]} ${each[b]}`)).size;
      expect([pairs(0, 1), pairs(0, 2), pairs(1, 2)]).toEqual([
        first! * second!,
        first! * shortest!,
        second! * shortest!,
      ]);
    }),
  );
});
