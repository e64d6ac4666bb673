import { expect, test } from 'vitest';
import { bodyFindings } from '../../spec/validators.ts';
import { typedFields, withValueAt, wrongValues } from './wrong-type.ts';

const fields = typedFields({ $ref: '#/components/schemas/AgentSpec' });
const paths = fields.map(({ path }) => path.join('.'));

test('every field of an agent spec is included, with array elements', () => {
  expect(paths).toEqual(
    expect.arrayContaining(['', 'enabled', 'policies.*', 'runtime.envs.*.secret', 'triggers.*.configuration.timeout']),
  );
});

test('read-only and undocumented fields are omitted', () => {
  for (const left of ['callbackSecret', 'valueFrom', 'tasks.*'])
    expect(paths.filter((path) => path.endsWith(left))).toEqual([]);
});

test.each(fields)('every wrong value at $path violates the schema', ({ path, type }) => {
  for (const value of wrongValues(type)) {
    const body = withValueAt({ metadata: { name: 'a' }, spec: {} }, ['spec', ...path], 0, value);
    expect(bodyFindings('updateAgent', body)).not.toEqual([]);
  }
});

test('a value is placed in the given element, and others are unchanged', () => {
  const body = { list: [{ a: 1 }, { a: 2, b: 3 }] };
  expect(withValueAt(body, ['list', '*', 'a'], 1, 'x')).toEqual({ list: [{ a: 1 }, { a: 'x', b: 3 }] });
  expect(withValueAt(body, ['list', '*', 'a'], 9, 'x')).toEqual({ list: [{ a: 1 }, { a: 'x', b: 3 }] });
  expect(withValueAt({}, ['list', '*', 'a'], 2, 'x')).toEqual({ list: [{ a: 'x' }] });
});
