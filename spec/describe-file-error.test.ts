import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeFileError } from './describe-file-error.ts';

test.each([
  ['/no-such-file', 'does not exist'],
  [import.meta.dirname, 'is a folder; expected a file'],
  [`${import.meta.filename}/x`, 'is below something that is not a folder'],
])('%s %s', async (file, expected) => {
  const error: unknown = await readFile(file).catch((caught: unknown) => caught);
  expect(describeFileError(error)).toBe(expected);
});

test('another error keeps its message', () => {
  expect(describeFileError(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))).toBe(
    'cannot be read: too many open files',
  );
});
