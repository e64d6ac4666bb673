import { expect, test } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { testExchange } from '../testing/test-run.ts';
import { createModel } from './model.ts';
import { readsAfter } from './read-after.ts';
import type { Step } from './step.ts';

const resultOf = (a: number, b: number) => {
  const exchange = (status: number) => ({
    ...testExchange,
    response: { status, headers: {}, text: '', json: undefined },
  });
  return { exchanges: { a: exchange(a), b: exchange(b) }, differences: [], alike: [], broken: { a: [], b: [] } };
};
const stepOf = (operation: OperationId, more: Partial<Step> = {}): Step => ({
  operation,
  context: 'valid',
  caller: 'strongest',
  ...more,
});
const create = stepOf('createVpc', { body: { metadata: { name: '<new 1>' }, spec: {} } });
const update = stepOf('updateVpc', { path: { vpcName: '<new 1>' }, body: { metadata: { name: '<new 1>' } } });

test('what both targets have created may be used, and what both have removed', () => {
  const model = createModel(() => false);
  expect(model.note(1, create, resultOf(200, 200))).toEqual([]);
  expect(model.items('/vpcs')).toEqual([{ path: { vpcName: '<new 1>' }, isNew: true }]);
  expect(model.note(2, stepOf('deleteVpc', { path: { vpcName: '<new 1>' } }), resultOf(200, 204))).toEqual([]);
  expect([model.items('/vpcs').length, model.removed('/vpcs').length]).toEqual([0, 1]);
});

test.each<[string, Step, number, number]>([
  ['created', stepOf('createVpc', { body: { metadata: { name: '<new 2>' } } }), 200, 400],
  ['changed', update, 400, 200],
  ['removed', stepOf('deleteVpc', { path: { vpcName: '<new 1>' } }), 200, 403],
])('what only one target has %s is not used again, and neither is the list', (_, step, a, b) => {
  const model = createModel(() => false);
  model.note(1, create, resultOf(200, 200));
  expect(model.note(2, step, resultOf(a, b))).toEqual(['listVpcs']);
  const used = model.items('/vpcs').map(({ path }) => path['vpcName']);
  expect(used).toEqual(step.operation === 'createVpc' ? ['<new 1>'] : []);
});

test('what only one target has changed is not used by another name, either', () => {
  const model = createModel((name) => name === 'agent');
  expect(model.items('/agents')).toHaveLength(1);
  model.note(1, stepOf('updateAgent', { path: { agentName: '<own changeable>' } }), resultOf(200, 400));
  expect(model.items('/agents')).toEqual([]);
});

test('what the target file lists may be deleted once both targets have returned it, and until one has deleted it', () => {
  const path = {
    volumeTemplateName: '<own templateVersions.0.template>',
    versionName: '<own templateVersions.0.version>',
  };
  const model = createModel((name) => name.startsWith('templateVersions.0'));
  expect(model.isSeen(path)).toBe(false);
  model.note(1, stepOf('getVolumeTemplateVersion', { path }), resultOf(200, 404));
  expect(model.isSeen(path)).toBe(false);
  model.note(2, stepOf('getVolumeTemplateVersion', { path }), resultOf(200, 200));
  expect([model.isSeen(path), model.items('/volume_templates/{volumeTemplateName}/versions').length]).toEqual([
    true,
    1,
  ]);
  model.note(3, stepOf('deleteVolumeTemplateVersion', { path }), resultOf(200, 500));
  expect(model.items('/volume_templates/{volumeTemplateName}/versions')).toEqual([]);
});

test('a refused write and a deletion are followed by a read of what they named', () => {
  const read = (step: Step, a: number, b: number) =>
    readsAfter(step, resultOf(a, b)).map((each) => [each.operation, each.path]);
  expect(read(create, 400, 400)).toEqual([['getVpc', { vpcName: '<new 1>' }]]);
  expect(read(update, 401, 403)).toEqual([['getVpc', { vpcName: '<new 1>' }]]);
  expect(read(update, 200, 400)).toEqual([]);
  expect(read(update, 200, 200)).toEqual([]);
  expect(read(stepOf('deleteVpc', { path: { vpcName: '<new 1>' } }), 200, 204)).toEqual([
    ['getVpc', { vpcName: '<new 1>' }],
  ]);
  expect(read(stepOf('createVpc', { text: '{' }), 400, 400)).toEqual([]);
  expect(read(stepOf('getVpc', { path: { vpcName: '<new 1>' } }), 404, 404)).toEqual([]);
});
