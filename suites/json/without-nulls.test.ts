import { expect, test } from 'vitest';
import { withoutNulls } from './without-nulls.ts';

test('members that are null are omitted at any depth', () => {
  const spec = { region: null, runtime: { memory: null, envs: [{ name: 'A', value: null }] }, public: false };
  expect(withoutNulls(spec)).toEqual({ runtime: { envs: [{ name: 'A' }] }, public: false });
});

test('tasks are arbitrary, so theirs stay', () => {
  const spec = { triggers: [{ configuration: { path: null, tasks: [{ a: null }] } }] };
  expect(withoutNulls(spec)).toEqual({ triggers: [{ configuration: { tasks: [{ a: null }] } }] });
});
