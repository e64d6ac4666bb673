import { expect, test } from 'vitest';
import { choiceSaid, chosenOf, oneMoreGlob } from './teeth-choice.ts';

const ids = ['vpcs.create.a', 'vpcs.create.a/two', 'jobs.run.b', 'vpcs.create.a/three', 'vpcs.create.c'];

test('a glob that fits a rule chooses its variants, too', () => {
  expect(chosenOf(ids, {})).toHaveLength(ids.length);
  expect(chosenOf(ids, { only: ['vpcs.create.a'] })).toEqual([ids[0], ids[1], ids[3]]);
  expect(chosenOf(ids, { only: ['*/two', '{jobs,images}.*'] })).toEqual([ids[1], ids[2]]);
});

test('so many of each rule are the first ones', () => {
  expect(chosenOf(ids, { each: 2 })).toEqual([ids[0], ids[1], ids[2], ids[4]]);
  expect(chosenOf(ids, { only: ['vpcs.*'], each: 1 })).toEqual([ids[0], ids[4]]);
});

test('a score of some says of how many, and by what they were chosen', () => {
  expect(choiceSaid({}, 1000)).toBe('');
  expect(choiceSaid({ only: ['vpcs.*', 'jobs.*'], each: 1 }, 1000)).toBe(
    "; of 1000, chosen by --only 'vpcs.*' --only 'jobs.*' --each 1",
  );
});

test('a glob that fits no deviation is refused', () => {
  expect(oneMoreGlob('vpcs.*', ['jobs.*'])).toEqual(['jobs.*', 'vpcs.*']);
  expect(() => oneMoreGlob('vcps.*')).toThrow(/^It fits no deviation\. .*; areas: .*\bvpcs, /);
});
