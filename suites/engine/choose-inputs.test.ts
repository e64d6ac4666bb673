import { expect, test } from 'vitest';
import { chooseInputs, type Available } from './choose-inputs.ts';

const some: Available = { exampleCount: 5, maxGenerated: 24, maxInputs: 24, informative: undefined, seed: 1 };

test('all examples are tested if there are few, and generated inputs fill the rest', () => {
  expect(chooseInputs(some)).toEqual({ examples: [0, 1, 2, 3, 4], generatedCount: 19, ends: { 1: 2, 2: 8, 3: 24 } });
});

test('informative examples come first, and are tested even if there are too many', () => {
  const { examples, ends } = chooseInputs({ ...some, maxInputs: 2, informative: [[4, 2], [0], 5] });
  expect(examples).toEqual([4, 2, 0]);
  expect(ends).toEqual({ 1: 2, 2: 3, 3: 4 });
});

test('the seed draws from examples that are too many', () => {
  const many = { ...some, exampleCount: 200 };
  const [one, other] = [chooseInputs(many), chooseInputs({ ...many, seed: 2 })];
  expect(one.examples).toHaveLength(18);
  expect(one.generatedCount).toBe(6);
  expect(chooseInputs(many)).toEqual(one);
  expect(other.examples).not.toEqual(one.examples);
});

test('a list without generated inputs uses all places for examples', () => {
  const { examples, generatedCount } = chooseInputs({ ...some, exampleCount: 200, maxGenerated: 0 });
  expect([examples.length, generatedCount]).toEqual([24, 0]);
});

test('all examples are tested if that is required, also of a property that generates inputs', () => {
  expect(chooseInputs({ ...some, exampleCount: 100, testsAll: true })).toMatchObject({
    generatedCount: 6,
    ends: { 3: 106 },
  });
});

test('informative examples that no longer exist are ignored', () => {
  expect(chooseInputs({ ...some, informative: [[7, 1], [9], 10] }).examples).toEqual([1, 0, 2, 3, 4]);
});

test('the first round may have no input of a property, the second one has', () => {
  expect(chooseInputs({ ...some, informative: [[], [3], 5] }).ends).toEqual({ 1: 0, 2: 1, 3: 24 });
  expect(chooseInputs({ ...some, informative: [[], [], 5] }).ends).toEqual({ 1: 0, 2: 1, 3: 24 });
});

test('one example of each class is tested, whatever the seed', () => {
  const classes = Array.from({ length: 60 }, (_, index) => `class ${index % 30}`);
  const ofClasses = { ...some, exampleCount: 60, classes, informative: [[3], [31], 60] as const };
  const [one, other] = [1, 2].map((seed) => chooseInputs({ ...ofClasses, seed }));
  for (const { examples, generatedCount } of [one!, other!]) {
    expect(examples.slice(0, 2)).toEqual([3, 31]);
    expect(examples).toHaveLength(30);
    expect(new Set(examples.map((index) => classes[index]))).toEqual(new Set(classes));
    expect(generatedCount).toBe(3);
  }
  expect(one!.examples).not.toEqual(other!.examples);
});
