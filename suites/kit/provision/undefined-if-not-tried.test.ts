import { expect, test } from 'vitest';
import { NotTried } from '../../target/violation.ts';
import { reasonIfNotTried, undefinedIfNotTried } from './undefined-if-not-tried.ts';

async function failing(thrown: Error): Promise<object> {
  throw thrown;
}

test('what a target lacks is optional', async () => {
  expect(await undefinedIfNotTried(failing(new NotTried('a volume')))).toBeUndefined();
  expect(await reasonIfNotTried(failing(new NotTried('a volume')))).toBe('a volume');
});

test.each([new NotTried('credentials.admin ended', 'lifetime'), new Error('bug')])('%s is not', async (thrown) => {
  await expect(undefinedIfNotTried(failing(thrown))).rejects.toBe(thrown);
  await expect(reasonIfNotTried(failing(thrown))).rejects.toBe(thrown);
});
