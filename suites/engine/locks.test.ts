import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { runsAlone, usedResources } from './locks.ts';

test.each<[RequirementId, string[]]>([
  ['agents.update.round-trip', ['agents', 'volumes']],
  ['agents.update.envelope-required', ['agents']],
  ['images.cleanup.answer-shape', ['agents']],
  ['inference.agents.answers', ['agents']],
  ['naming.labels.string-values', ['agents', 'quota']],
  ['vpcs.create.answers-resource', ['quota']],
  ['sandbox.tree.nested-directories', []],
  ['sandbox.watch.every-write-a-line', ['watches']],
  ['errors.generic.statuses', ['agents', 'quota', 'watches', 'uploads', 'template-versions']],
  ['metrics.cost.always-there', []],
])('%s uses %j', (id, used) => {
  expect(usedResources(requirement(id))).toEqual(used);
});

test('a case that may remove what others use runs alone', () => {
  expect(runsAlone(requirement('images.cleanup.answer-shape'))).toBe(true);
  expect(runsAlone(requirement('agents.update.round-trip'))).toBe(false);
});
