/** Which lines of a watch report a file. */
import { formatValue } from '../expect/format-value.ts';

/** What a line that reports a file consists of: only its path, as the interface demands, or other text that names the file. */
export type LineForm = 'paths' | 'other text';

const linesOf = (text: string): string[] => text.normalize('NFC').split(/\r?\n/);

/** The number of lines that report the file. */
export function countLines(text: string, form: LineForm, directory: string, name: string): number {
  if (form === 'other text') return mentions(text, name);
  return linesOf(text).filter((line) => isPathOf(line, directory.normalize('NFC'), name)).length;
}

/** The number of lines that name the file. */
export const mentions = (text: string, name: string): number =>
  linesOf(text).filter((line) => names(line, name)).length;

/** Accepts an absolute path, or one relative to the directory or to a parent of it, which may be a symbolic link. */
export function isPathOf(given: string, directory: string, name: string): boolean {
  const line = given.replaceAll(/\/{2,}/g, '/'); // The same path (POSIX.1-2017, section 4.13).
  if (line === name || line === `./${name}`) return true;
  const end = `${directory.slice(directory.lastIndexOf('/') + 1)}/${name}`;
  const before = line.slice(0, -end.length);
  if (!line.endsWith(end) || (before !== '' && !before.endsWith('/'))) return false;
  return /^[./]/.test(before) || `${directory}/`.startsWith(before) || isThroughLink(line, directory, name);
}

/** A relative path in which the first directory is replaced by its link target. Plain names only, so that no sentence matches. */
function isThroughLink(line: string, directory: string, name: string): boolean {
  const end = `${directory.slice(directory.indexOf('/'))}/${name}`;
  return line.endsWith(end) && /^[\w.-]+(?:\/[\w.-]+)*$/.test(line.slice(0, -end.length));
}

/** Whether the name is in the line, not as a part of another one, such as that of a temporary file. */
export function names(line: string, name: string): boolean {
  const partOfName = /[\p{L}\p{N}_.~#-]/u;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = line.slice(0, at).replace(/%2F$/i, '/').at(-1) ?? '';
    const after = line.slice(at + name.length, at + name.length + 1);
    if (!partOfName.test(before) && !partOfName.test(after)) return true;
  }
  return false;
}

/** What a watch has sent: how many lines, and the last one that names the file, or else the last one. */
export function describeLines(text: string, name: string): string {
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  const line = lines.findLast((each) => names(each, name)) ?? lines.at(-1);
  if (line === undefined) return 'no line';
  return lines.length === 1 ? `the line ${formatValue(line)}` : `${lines.length} lines, such as ${formatValue(line)}`;
}
