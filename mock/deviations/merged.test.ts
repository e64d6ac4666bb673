import { expect, test } from 'vitest';
import type { Deviation } from './deviation.ts';
import { merged } from './merged.ts';

const fault = (what: string): Deviation => ({ what, effect: 'none', wrap: (app) => app });
const labels = fault('leaves the labels out');
const status = fault('answers 201');

test('the faults of all tables are in one, in their order', () => {
  const all = merged({ 'vpcs.create.answers-resource/status': status }, {}, { 'vpcs.create.answers-resource': labels });
  expect(Object.entries(all)).toEqual([
    ['vpcs.create.answers-resource/status', status],
    ['vpcs.create.answers-resource', labels],
  ]);
});

test('an id that two tables have is refused by name', () => {
  const table = { 'vpcs.create.answers-resource/labels': labels };
  expect(() => merged(table, { ...table })).toThrow(
    'Deviation "vpcs.create.answers-resource/labels" is given twice; each needs a variant of its own.',
  );
});
