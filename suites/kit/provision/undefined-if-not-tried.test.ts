import { expect, test } from 'vitest';
import { NotTried } from '../../target/violation.ts';
import { reasonIfNotTried, undefinedIfNotTried } from './undefined-if-not-tried.ts';

const failing = (error: Error): Promise<object> => Promise.reject(error);

test('what a target lacks is optional', async () => {
  expect(await undefinedIfNotTried(failing(new NotTried('a volume')))).toBeUndefined();
  expect(await reasonIfNotTried(failing(new NotTried('a volume')))).toBe('a volume');
});

test.each([new NotTried('credentials.admin ended', 'lifetime'), new Error('bug')])('%s is not', async (error) => {
  await expect(undefinedIfNotTried(failing(error))).rejects.toBe(error);
  await expect(reasonIfNotTried(failing(error))).rejects.toBe(error);
});
