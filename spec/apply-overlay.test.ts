import { expect, test } from 'vitest';
import { applyOverlay } from './apply-overlay.ts';

const document = {
  info: { version: '1', title: 'API' },
  parameters: [{ name: 'a' }, { name: 'b' }, { name: 'a' }],
  tags: ['one'],
};

test('an update merges objects, appends to lists and replaces other values', () => {
  const actions = [
    { target: '$', update: { info: { version: '2' }, tags: ['two'] } },
    { target: '$.parameters', update: { name: 'c' } },
    { target: "$.parameters[?@.name == 'b']", update: { required: true } },
  ];
  expect(applyOverlay(document, { actions })).toEqual({
    info: { version: '2', title: 'API' },
    parameters: [{ name: 'a' }, { name: 'b', required: true }, { name: 'a' }, { name: 'c' }],
    tags: ['one', 'two'],
  });
});

test('everything that a target selects is removed, and the given document stays as it is', () => {
  const before = structuredClone(document);
  const actions = [
    { target: "$.parameters[?@.name == 'a']", remove: true },
    { target: '$.info.title', remove: true },
  ];
  expect(applyOverlay(document, { actions })).toEqual({
    info: { version: '1' },
    parameters: [{ name: 'b' }],
    tags: ['one'],
  });
  expect(document).toEqual(before);
});

test('a target that selects nothing is an error', () => {
  expect(() => applyOverlay(document, { actions: [{ target: '$.path', update: {} }] })).toThrow(
    "The overlay's target $.path is not in the document.",
  );
});

test.each([{ target: '$.info' }, { target: '$.info', updates: {} }, { target: '$.info', remove: false }])(
  'an action without an effect that the specification knows is an error: %j',
  (action) => {
    expect(() => applyOverlay(document, { actions: [action] })).toThrow('actions');
  },
);
