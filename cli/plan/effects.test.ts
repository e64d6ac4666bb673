import { expect, test } from 'vitest';
import { describeEffects } from './effects.ts';
import type { Counts } from './request-counts.ts';

const describeAll = (counts: Counts): string => describeEffects(counts, 'destroy', 20).join('\n');

test('removed resources that the run did not create are printed', () => {
  expect(describeAll({ 'removes deleteVolumeTemplateVersion': 1, 'removes deleteUnusedImages': 2 })).toBe(
    'Permanently removes resources that the run did not create: deleteVolumeTemplateVersion × 1, deleteUnusedImages × 2.',
  );
});

test('requests without an effect are not mentioned', () => {
  expect(describeAll({ 'sent deleteVpc SVC_ADMIN_TOKEN': 2 })).toBe(
    'Nothing is created, changed or removed (allow: destroy).',
  );
});

test.each(['creates createVpc', 'keeps writeTree'])(
  'the budget is printed if created resources may remain (%s)',
  (key) => {
    expect(describeAll({ [key]: 1 })).toMatch(/ × 1\.\nCreates at most 20 resources/);
  },
);

test('the budget is not printed if none may remain', () => {
  expect(describeAll({ 'changes updateAgent': 1 })).not.toContain('--budget');
});
