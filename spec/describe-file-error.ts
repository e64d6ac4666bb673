/** Sentences for files that cannot be read. */
import { UnsuitableFile } from './files/read-text.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder; expected a file',
  ENOTDIR: 'is below something that is not a folder',
  EACCES: 'may not be read: permission denied',
  ELOOP: 'is a circular symbolic link',
  ENAMETOOLONG: 'has a name that is too long',
  EAGAIN: 'has nothing to read yet; expected a file',
};

/** Completes a sentence that starts with the file: "does not exist". `error`: of node:fs or readTextFile. */
export function describeFileError(error: unknown): string {
  if (error instanceof UnsuitableFile) return error.message;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `cannot be read: ${message}`;
}
