/** Sentences for files that cannot be read. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder; expected a file',
  ENOTDIR: 'is below something that is not a folder',
  EACCES: 'may not be read: permission denied',
};

/** Completes a sentence that starts with the file: "does not exist". `error`: of node:fs. */
export function describeFileError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `cannot be read: ${message}`;
}
