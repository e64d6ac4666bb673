import { expect, test } from 'vitest';
import { chooseInputs, type Available } from './choose-inputs.ts';

const some: Available = { examples: [1, 2, 3, 4, 5], maxGenerated: 24, drawnCount: 3, seed: 1 };

test('every example is tested if each is a value of its own, and some generated inputs', () => {
  expect(chooseInputs(some)).toEqual({ examples: [0, 1, 2, 3, 4], generatedCount: 3, ends: { 1: 2, 2: 8 } });
});

test('a property without examples tests all inputs that it may generate', () => {
  expect(chooseInputs({ ...some, examples: [] })).toEqual({ examples: [], generatedCount: 24, ends: { 1: 2, 2: 24 } });
});

test('a list without generated inputs has none', () => {
  expect(chooseInputs({ ...some, maxGenerated: 0 }).generatedCount).toBe(0);
});

const pairs = ['a', 'b', 'c', 'd'].flatMap((letter) => [1, 2, 3].map((number) => ({ letter, number })));

test('few examples with several fields have all values, and the seed draws from the others', () => {
  const [one, other] = [1, 2].map((seed) => chooseInputs({ ...some, examples: pairs, seed }).examples);
  expect(one!.slice(0, 4).map((index) => pairs[index])).toEqual([
    { letter: 'a', number: 1 },
    { letter: 'b', number: 2 },
    { letter: 'c', number: 3 },
    { letter: 'd', number: 1 },
  ]);
  expect(one).toHaveLength(4 + 3);
  expect(other!.slice(0, 4)).toEqual(one!.slice(0, 4));
  expect(other).not.toEqual(one);
});

test('an example without a field differs from those that have it', () => {
  const { examples } = chooseInputs({ ...some, drawnCount: 0, examples: [{ a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1 }] });
  expect(examples).toEqual([0, 2]);
});

test('all examples are tested if that is required', () => {
  expect(chooseInputs({ ...some, examples: pairs, testsAll: true }).examples).toEqual([...pairs.keys()]);
});

test('one example of each class is tested, whatever the seed', () => {
  const examples = Array.from({ length: 60 }, (_, index) => ({ kind: index % 30, index }));
  const classOf = ({ kind }: { kind: number }) => String(kind);
  const [one, other] = [1, 2].map((seed) => chooseInputs({ ...some, examples, classOf, seed }));
  for (const { examples: chosen, generatedCount } of [one!, other!]) {
    expect(chosen.map((index) => examples[index]!.kind)).toEqual(Array.from({ length: 30 }, (_, kind) => kind));
    expect(generatedCount).toBe(3);
  }
  expect(one!.examples).not.toEqual(other!.examples);
});

test('the first round tests as many inputs as the property says', () => {
  expect(chooseInputs({ ...some, firstCount: 4 }).ends).toEqual({ 1: 4, 2: 8 });
});
