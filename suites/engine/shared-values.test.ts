import { expect, test } from 'vitest';
import { ResponsesTooLargeError } from '../target/transport.ts';
import { NotTried, OperationsMissing } from '../target/violation.ts';
import { sharedValue, sharedValues } from './shared-values.ts';

test('a value is created once per run and key', async () => {
  const values = sharedValues<string>();
  const [run, otherRun] = [{ shared: {} }, { shared: {} }];
  let count = 0;
  const make = async () => `value ${(count += 1)}`;
  expect(await values.get(run, 'a', make)).toBe('value 1');
  expect(await values.get({ ...run }, 'a', make)).toBe('value 1');
  expect(await values.get(run, 'b', make)).toBe('value 2');
  expect(await values.get(otherRun, 'a', make)).toBe('value 3');
});

test('two shared values do not affect each other', async () => {
  const run = { shared: {} };
  const [one, other] = [sharedValue<number>(), sharedValue<number>()];
  expect([await one.get(run, async () => 1), await other.get(run, async () => 2)]).toEqual([1, 2]);
});

test('a value that did not fit into memory is created again, unlike other failures', async () => {
  const run = { shared: {} };
  const value = sharedValue<string>();
  const fail = async (error: Error): Promise<string> => {
    throw error;
  };
  await expect(value.get(run, () => fail(new ResponsesTooLargeError()))).rejects.toThrow('memory');
  await expect(value.get(run, () => fail(new Error('refused')))).rejects.toThrow('refused');
  await expect(value.get(run, async () => 'accepted')).rejects.toThrow('refused');
});

test('a rule whose operations are all missing ends without ending those that wait for the value', async () => {
  const run = { shared: {} };
  const value = sharedValue<string>();
  const { promise, reject } = Promise.withResolvers<string>();
  const ended = value.get(run, () => promise);
  const waiting = [1, 2].map((count) => value.get(run, async () => `value ${count}`));
  reject(new OperationsMissing());
  await expect(ended).rejects.toThrow(OperationsMissing);
  expect(await Promise.all(waiting)).toEqual(['value 1', 'value 1']);
  expect(await value.get(run, async () => 'another value')).toBe('value 1');
});

test('what the target lacks for one rule, it lacks for all', async () => {
  const run = { shared: {} };
  const value = sharedValue<string>();
  const lacking = async (): Promise<string> => {
    throw new NotTried('an agent');
  };
  await expect(value.get(run, lacking)).rejects.toThrow('an agent');
  await expect(value.get(run, async () => 'accepted')).rejects.toThrow('an agent');
});
