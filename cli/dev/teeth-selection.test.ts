import { expect, test } from 'vitest';
import { describeSelection, selectDeviations, appendGlob } from './teeth-selection.ts';

const ids = ['vpcs.create.a', 'vpcs.create.a/two', 'jobs.run.b', 'vpcs.create.a/three', 'vpcs.create.c'];

test('a glob that matches a rule selects its variants', () => {
  expect(selectDeviations(ids, {})).toHaveLength(ids.length);
  expect(selectDeviations(ids, { only: ['vpcs.create.a'] })).toEqual([ids[0], ids[1], ids[3]]);
  expect(selectDeviations(ids, { only: ['*/two', '{jobs,images}.*'] })).toEqual([ids[1], ids[2]]);
});

test('--each selects the first deviations of each rule', () => {
  expect(selectDeviations(ids, { each: 2 })).toEqual([ids[0], ids[1], ids[2], ids[4]]);
  expect(selectDeviations(ids, { only: ['vpcs.*'], each: 1 })).toEqual([ids[0], ids[4]]);
});

test('--sample draws from all areas, in addition to --each, and the seed decides which', () => {
  const sample = selectDeviations(ids, { sample: 2, seed: 'a' });
  expect(new Set(sample.map((id) => id.split('.', 1)[0]))).toEqual(new Set(['jobs', 'vpcs']));
  expect(selectDeviations(ids, { sample: 2, seed: 'a' })).toEqual(sample);
  expect(selectDeviations(ids, { each: 1, sample: 1, seed: 'a' })).toHaveLength(4);
  expect(selectDeviations(ids, { each: 1, sample: 9, seed: 'a' }).toSorted()).toEqual(ids.toSorted());
  const draws = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => selectDeviations(ids, { sample: 3, seed }).join(' '));
  expect(new Set(draws).size).toBeGreaterThan(1);
});

test('the score of a selection contains the total and the flags', () => {
  expect(describeSelection({}, 1000)).toBe('');
  expect(describeSelection({ only: ['vpcs.*', 'jobs.*'], each: 1 }, 1000)).toBe(
    "; of 1000, selected by --only 'vpcs.*' --only 'jobs.*' --each 1",
  );
  expect(describeSelection({ each: 1, sample: 50, seed: '5d3a' }, 1000)).toBe(
    '; of 1000, selected by --each 1 --sample 50 --seed 5d3a',
  );
});

test('a glob that matches no deviation is rejected', () => {
  expect(appendGlob('vpcs.*', ['jobs.*'])).toEqual(['jobs.*', 'vpcs.*']);
  expect(() => appendGlob('vcps.*')).toThrow(/^the id of a deviation .* Areas: .*\bvpcs, /);
});
