import { expect, test } from 'vitest';
import { testTarget } from '../testing/test-run.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Target } from '../target/target.ts';
import { runsAlone, usedResources } from './locks.ts';

const target = testTarget({ address: 'http://127.0.0.1:9', allow: 'write' });

test.each<[RequirementId, string[]]>([
  ['agents.update.round-trip', ['agents', 'volumes']],
  ['agents.update.envelope-required', ['agents']],
  ['images.cleanup.answer-shape', ['agents']],
  ['inference.agents.answers', ['agents']],
  ['naming.labels.string-values', ['agents', 'quota']],
  ['vpcs.create.answers-resource', ['quota']],
  ['sandbox.tree.nested-directories', []],
  ['sandbox.watch.every-write-a-line', ['watches']],
  ['errors.generic.statuses', ['agents', 'quota', 'watches']],
  ['errors.robustness.never-5xx', ['agents', 'quota', 'watches']],
  ['sandbox.multipart.list-shape', ['uploads']],
  ['metrics.cost.always-there', []],
])('%s uses %j', (id, used) => {
  expect(usedResources(requirement(id), target)).toEqual(used);
});

test('versions of volume templates are shared only if the target file lists some that may be deleted', () => {
  const used = (differs: Partial<Target>) =>
    usedResources(requirement('errors.generic.statuses'), { ...target, ...differs });
  const resources = { templateVersions: [{ template: 'data', version: 'v1' }] };
  expect(used({ allow: 'destroy', resources })).toContain('template-versions');
  expect(used({ allow: 'write', resources })).not.toContain('template-versions');
  expect(used({ allow: 'destroy' })).not.toContain('template-versions');
  expect(used({ allow: 'read', resources })).toEqual([]);
});

test('cases that request codes or tokens of the OAuth client run one after the other, also in a run that only reads', () => {
  const client = { id: 'assay', secret: { value: 'a-secret', name: 'SVC_CLIENT_SECRET' }, scopes: [] };
  const used = (id: RequirementId, differs: Partial<Target>) =>
    usedResources(requirement(id), { ...target, ...differs });
  expect(used('oauth.code.good-once', { allow: 'read', client })).toEqual(['codes']);
  expect(used('oauth.token.no-store', { client })).toEqual(['codes']);
  expect(used('oauth.authorize.state-returned', { client })).toEqual(['codes']);
  expect(used('oauth.code.good-once', {})).toEqual([]);
});

test('a case that may remove what others use runs alone', () => {
  expect(runsAlone(requirement('images.cleanup.answer-shape'), target)).toBe(true);
  expect(runsAlone(requirement('agents.update.round-trip'), target)).toBe(false);
});
