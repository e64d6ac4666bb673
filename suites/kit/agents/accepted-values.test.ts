import { expect, test } from 'vitest';
import { openTestRun } from '../../testing/test-run.ts';
import { findAcceptedValues, withAcceptedValues } from './accepted-values.ts';

const newRun = (samples = {}) => openTestRun({ address: 'http://127.0.0.1:9', target: { samples } });
const envs = (...names: readonly string[]) => ({ runtime: { envs: names.map((name) => ({ name, value: 'text' })) } });
const refuses = (pattern: RegExp) => async (spec: object) => !pattern.test(JSON.stringify(spec));

test('values that are not refused stay as they are', async () => {
  const run = newRun();
  expect(await findAcceptedValues(run, envs('ASSAY_1'), async () => true)).toBeUndefined();
  expect(withAcceptedValues(run, envs('ASSAY_1'))).toEqual(envs('ASSAY_1'));
});

test('different values stay different, and equal ones equal', async () => {
  const run = newRun();
  const accepts = async (spec: Readonly<Record<string, unknown>>) =>
    !/ASSAY/.test(JSON.stringify(withAcceptedValues(run, spec)));
  expect(await findAcceptedValues(run, envs('ASSAY_1'), accepts)).toBeUndefined();
  const { runtime } = withAcceptedValues(run, envs('ASSAY_1', 'ASSAY_2', 'ASSAY_1'));
  const [first, second, third] = runtime.envs.map(({ name }) => name);
  expect([first, second]).not.toContain('ASSAY_1');
  expect(second).not.toBe(first);
  expect(third).toBe(first);
});

test('what is missing names the refused value and the sample', async () => {
  const missing = await findAcceptedValues(newRun(), envs('ASSAY_1'), refuses(/name/));
  expect(missing).toContain('"ASSAY_1"');
  expect(missing).toContain('samples.variables');
});

test('a sample is used from the beginning, and its refusal excuses nothing', async () => {
  const run = newRun({ variables: { LOG_LEVEL: 'info' } });
  expect(withAcceptedValues(run, envs('ASSAY_1', 'ASSAY_2'))).toEqual({
    runtime: { envs: [{ name: 'LOG_LEVEL', value: 'info' }] },
  });
  expect(await findAcceptedValues(run, envs('ASSAY_1'), refuses(/name/))).toBeUndefined();
});

test('a value is not to blame if it is accepted by itself', async () => {
  const spec = { runtime: { envs: [{ name: 'ASSAY_1', value: 'text', secret: true }] } };
  expect(await findAcceptedValues(newRun(), spec, refuses(/secret/))).toBeUndefined();
});
