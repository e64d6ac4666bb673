/**
 * Which unusual files a sandbox accepts in a tree write. The interface defines neither the names that a path may have nor the size of
 * a request, so a target may refuse what is not plain (decision 051): then plain files are written in their place, and everything
 * that is accepted is judged alike.
 */
import { sharedValue } from '../../engine/shared-values.ts';
import type { Run } from '../../engine/conforms.ts';
import { isRefused } from '../../expect/status.ts';
import type { Files } from '../../generators/file-tree.ts';
import { joinPath } from '../../generators/file-tree.ts';
import { newWritableDirectory } from './own-directory.ts';
import { putTree } from './tree.ts';

/** The most files in a write, characters in a name and bytes in a file that are plain. */
const PLAIN = { files: 3, nameLength: 49, bytes: 100 };

/** Of a plain file. A longer one is part of the name. */
const EXTENSION = /\.\w{1,8}$/;

interface Unusual {
  /** Completes "a write of …". */
  readonly what: string;
  /** A write with nothing else that is unusual. */
  readonly probe: Files;
  /** The directory of the probe. Defaults to the top one. */
  readonly at?: string;
  /** What is plain in its place: a name, the path of a directory, or the files of a write. Defaults to no change. */
  readonly name?: (name: string, isFile: boolean) => string;
  readonly directory?: (path: string) => string;
  readonly files?: (files: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[];
}

/** Distinct for distinct texts. */
const coded = (text: string): string => [...text].map((each) => `x${each.codePointAt(0)!.toString(16)}`).join('');

const replacedIfOne = (name: string): string => ([...name].length === 1 ? coded(name) : name);

const withContent =
  (change: (content: string) => string): NonNullable<Unusual['files']> =>
  (files) =>
    files.map(([path, content]) => [path, change(content)]);

export const unusualFiles: readonly Unusual[] = [
  {
    what: 'names with spaces',
    probe: { 'two  words.txt': 'x', 'a b/file.txt': 'x' },
    name: (name) => name.replaceAll(/\s/g, coded),
  },
  {
    what: 'names with punctuation',
    probe: { "x+y&q=r's$ho_%41#1!~,@.txt": 'x', "x+y/p&q=r/it's/100%/file.txt": 'x' },
    name: (name) => name.replaceAll(/[!-,:-@[-`{-~]/g, coded),
  },
  {
    what: 'names with letters beyond ASCII',
    probe: { 'größe日本語😀.txt': 'x', 'über/日本/file.txt': 'x' },
    name: (name) => name.replaceAll(/[^\0-\x7f]/gu, coded),
  },
  {
    what: 'names in upper case',
    probe: { 'README.txt': 'x', 'Upper/toString.txt': 'x' },
    name: (name) => name.toLowerCase(),
  },
  {
    what: 'names with several dots, and of directories with one',
    probe: { 'f.tar.gz': 'x', 'lib.d/v1.2/file.txt': 'x' },
    name: (name, isFile) => (isFile ? name.replaceAll(/\.(?=.*\.)/g, coded) : name.replaceAll('.', coded)),
  },
  {
    what: 'names that begin with a hyphen',
    probe: { '-file.txt': 'x' },
    name: (name) => name.replace(/^-/, coded),
  },
  {
    what: 'files without an extension',
    probe: { license: 'x', 'below/license': 'x' },
    name: (name, isFile) => (isFile && !name.includes('.') ? `${name}.txt` : name),
  },
  {
    what: 'files whose names have one character',
    probe: { g: 'x' }, // none with an extension has such a name
    name: (name, isFile) => (isFile ? replacedIfOne(name) : name),
  },
  {
    what: 'directories whose names have one character',
    probe: { 'h/file.txt': 'x' },
    name: (name, isFile) => (isFile ? name : replacedIfOne(name)),
  },
  {
    what: 'long names',
    probe: { [`${'long-'.repeat(24)}.txt`]: 'x' },
    name: (name) => {
      const extension = EXTENSION.exec(name)?.[0] ?? '';
      const stem = name.slice(0, name.length - extension.length);
      return stem.slice(0, PLAIN.nameLength - extension.length) + extension;
    },
  },
  {
    what: 'deep directories',
    probe: { 'aa/bb/cc/dd/ee/file.txt': 'x' },
    at: 'aa/ab/a-b/aa/ab',
    directory: (path) => path.replaceAll('/', coded),
  },
  {
    what: 'more than a few files',
    probe: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`file-${at}.txt`, 'x'])),
    files: (files) => files.slice(0, PLAIN.files),
  },
  {
    what: 'empty files',
    probe: { 'empty.txt': '' },
    files: withContent((content) => (content === '' ? 'x' : content)),
  },
  {
    what: 'files that are not small',
    probe: { 'large.txt': 'x'.repeat(1024) },
    files: withContent((content) =>
      Buffer.byteLength(content) <= PLAIN.bytes ? content : [...content].slice(0, PLAIN.bytes / 4).join(''),
    ),
  },
];

/** Unusual names, contents and numbers that the target refuses, replaced by plain ones. */
export interface AcceptedNames {
  /** The path of a directory, relative to one of the run. */
  readonly directory: (path: string) => string;
  /** By path, relative to such a directory. */
  readonly files: (files: Files) => Files;
}

export function namesWithout(refused: readonly Unusual[]): AcceptedNames {
  const nameOf = (name: string, isFile: boolean): string =>
    refused.reduce((changed, { name: plain }) => plain?.(changed, isFile) ?? changed, name);
  const directory = (path: string): string => {
    const named = path.split('/').map((name) => nameOf(name, false));
    return refused.reduce((changed, { directory: plain }) => plain?.(changed) ?? changed, named.join('/'));
  };
  const file = (path: string): string => {
    const end = path.lastIndexOf('/');
    return joinPath(directory(path.slice(0, Math.max(end, 0))), nameOf(path.slice(end + 1), true));
  };
  const entries = (files: Files) =>
    refused.reduce<readonly (readonly [string, string])[]>(
      (all, { files: change }) => change?.(all) ?? all,
      Object.entries(files).map(([path, content]) => [file(path), content]),
    );
  return { directory, files: (files) => Object.fromEntries(entries(files)) };
}

/**
 * The farthest directory above `path`, at most `levels` up, from which a request can name files in it: what is written in place
 * of other names is somewhere else. The path itself if there is none.
 */
export function farthestAbove({ directory }: AcceptedNames, path: string, levels: number): string {
  const names = path.split('/');
  for (let level = Math.min(levels, names.length - 1); level > 0; level -= 1) {
    const below = names.slice(-level).join('/');
    if (directory(below) === below) return names.slice(0, -level).join('/');
  }
  return path;
}

const namesOfRun = sharedValue<AcceptedNames>();

/** One write if the target accepts everything. Throws NotTried if it accepts no tree write. */
export const acceptedNames = (run: Run): Promise<AcceptedNames> =>
  namesOfRun.get(run, async () => namesWithout(await refusedKinds(run)));

async function refusedKinds(run: Run): Promise<readonly Unusual[]> {
  const isKindRefused = async (at: string, files: Files): Promise<boolean> =>
    isRefused(await putTree(run, joinPath(await newWritableDirectory(run), at), files));
  const all = Object.assign({}, ...unusualFiles.map(({ probe }) => probe)) as Files;
  if (!(await isKindRefused(unusualFiles.find(({ at }) => at)?.at ?? '', all))) return [];
  const refused: Unusual[] = [];
  for (const kind of unusualFiles) if (await isKindRefused(kind.at ?? '', kind.probe)) refused.push(kind);
  return refused;
}
