/** Normalizes paths of a sandbox: the result is absolute and stays below the root. */
import { requireAtMost } from '../../http/limits.ts';
import { invalidField } from '../../http/problems.ts';

const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4096;
// Each line of the watch stream is a path, so paths must not contain line breaks.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Resolves `path` relative to `from`: `//app`, `app/` and `x/../app` become `/app`; `..` of the root is the root. */
export function absolutePath(path: string, from = '/'): string {
  const names: string[] = [];
  for (const name of `${from}/${path}`.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(checkedName(name));
  }
  requireAtMost('pathNames', names.length, 'path');
  const absolute = `/${names.join('/')}`;
  if (Buffer.byteLength(absolute) > MAX_PATH_BYTES) {
    throw invalidField('path', path, `at most ${MAX_PATH_BYTES} bytes`);
  }
  return absolute;
}

/** Resolves the path of a file. Throws for an empty path or a trailing slash, which name a directory. */
export function filePath(path: string, from = '/'): string {
  const absolute = absolutePath(path, from);
  if (absolute === '/' || /(^|\/)\.{0,2}$/.test(path)) throw invalidField('path', path, 'the path of a file');
  return absolute;
}

/** Resolves the path of a file below a directory: `/a` is `a`. Throws if `..` leads out of the directory. */
export function fileBelow(directory: string, path: string): string {
  const absolute = filePath(path, directory);
  if (!isBelow(absolute, directory)) throw invalidField('path', path, `the path of a file below ${directory}`);
  return absolute;
}

/** The parent directory; the root's is the root. */
export function parentPath(absolute: string): string {
  return absolute.slice(0, absolute.lastIndexOf('/')) || '/';
}

/** The last name of an absolute path; the root's is `/`. */
export function nameOf(absolute: string): string {
  return absolute.slice(absolute.lastIndexOf('/') + 1) || '/';
}

/** Whether `absolute` is below the directory, at any depth. */
export function isBelow(absolute: string, directory: string): boolean {
  return directory === '/' ? absolute !== '/' : absolute.startsWith(`${directory}/`);
}

function checkedName(name: string): string {
  if (CONTROL_CHARACTER.test(name)) throw invalidField('path', name, 'names without control characters');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw invalidField('path', name, `names of at most ${MAX_NAME_BYTES} bytes`);
  }
  return name;
}
