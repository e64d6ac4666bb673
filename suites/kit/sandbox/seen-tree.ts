/** Tree writes as rules see them in anybody's traffic. */
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Seen } from '../../judge/seen.ts';
import type { TreeModel } from './listing.ts';

/** A segment that every file system lists under the name that was sent (decisions 048 and 051). */
const isPlainSegment = (name: string): boolean =>
  /^[^\p{Cc}\\]+$/u.test(name) &&
  !['.', '..'].includes(name) &&
  name === name.trim() &&
  name.isWellFormed() &&
  Buffer.byteLength(name) <= 200;

const isPlainPath = (path: string): boolean => path.split('/').every(isPlainSegment);

/** Names that some file systems take for the same. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase();

function parentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}

/**
 * The files of an accepted write, by path, if its response is a listing: those whose paths mean the same everywhere. Undefined for
 * any other exchange, and if one path may be another one, or a directory of another one.
 */
export function writtenFiles(seen: Seen): TreeModel | undefined {
  const files = fieldsOf(fieldsOf(seen.sent)?.['files']);
  if (seen.status !== 200 || files === undefined || !isFields(seen.json)) return undefined;
  const written = Object.entries(files).filter(
    (each): each is [string, string] => typeof each[1] === 'string' && each[1].isWellFormed(),
  );
  const paths = Object.keys(files).map((path) => comparable(path.replaceAll(/\/+/g, '/')));
  const directories = new Set(paths.flatMap(parentsOf));
  const isAmbiguous = paths.some((path) => directories.has(path));
  if (written.length === 0 || isAmbiguous || new Set(paths).size < paths.length) return undefined;
  return new Map(written.filter(([path]) => isPlainPath(path)));
}
