/** The in-memory files of a sandbox, as plain data for snapshots. */
import { isUtf8 } from 'node:buffer';
import type { DirectoryListing, FileEntry as FileRecord } from '../../../spec/generated/types.ts';
import { directoryMissing, notADirectory, notAFile } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import { timestamp } from '../../time/clock.ts';
import { absolutePath, filePath, nameOf, parentPath } from './path.ts';

export interface FileEntry {
  readonly kind: 'file';
  /** UTF-8 text, or base64 for other bytes. */
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
  readonly size: number;
  /** File mode, as 0o644. */
  readonly permissions: number;
  readonly owner: string;
  readonly group: string;
  readonly lastModified: Instant;
}

export interface DirectoryEntry {
  readonly kind: 'directory';
}

/** By absolute path; always contains the root. Keys start with a slash, so no name can collide with a prototype. */
export interface Filesystem {
  readonly entries: Record<string, FileEntry | DirectoryEntry>;
}

export const DEFAULT_PERMISSIONS = 0o644;
const OWNER = 'root';
const GROUP = 'root';

/** A filesystem with these empty directories. */
export function createFilesystem(directories: readonly string[] = []): Filesystem {
  const filesystem: Filesystem = { entries: { '/': { kind: 'directory' } } };
  for (const directory of directories) makeDirectory(filesystem, absolutePath(directory));
  return filesystem;
}

/**
 * Creates or updates files below a directory, all or none, and creates missing directories.
 * Returns the absolute paths of the files, in the order given.
 */
export function writeTree(
  filesystem: Filesystem,
  directory: string,
  files: Readonly<Record<string, string>>,
  now: Instant,
): string[] {
  const root = absolutePath(directory);
  const contents = new Map(Object.entries(files).map(([path, content]) => [filePath(path, root), content]));
  checkPlaces(filesystem, root, [...contents.keys()]);
  makeDirectory(filesystem, root);
  for (const [path, content] of contents) putFile(filesystem, path, Buffer.from(content), now);
  return [...contents.keys()];
}

/** Writes one binary file and creates missing directories. An existing file keeps its owner, and its permissions by default. */
export function writeFile(
  filesystem: Filesystem,
  path: string,
  bytes: Buffer,
  now: Instant,
  permissions?: number,
): string {
  const absolute = filePath(path);
  checkPlaces(filesystem, parentPath(absolute), [absolute]);
  putFile(filesystem, absolute, bytes, now, permissions);
  return absolute;
}

/** Undefined if the file does not exist. */
export function readFile(filesystem: Filesystem, path: string): Buffer | undefined {
  const entry = entryAt(filesystem, absolutePath(path));
  return entry?.kind === 'file' ? Buffer.from(entry.content, entry.encoding) : undefined;
}

/** The entries of a directory by name. Throws if it does not exist. */
export function listDirectory(filesystem: Filesystem, path: string): DirectoryListing {
  const directory = existingDirectory(filesystem, path);
  const files: FileRecord[] = [];
  const subdirectories: { name: string; path: string }[] = [];
  for (const child of childrenOf(filesystem, directory)) {
    const entry = entryAt(filesystem, child);
    if (entry?.kind === 'file') files.push(fileRecord(child, entry));
    else subdirectories.push({ name: nameOf(child), path: child });
  }
  return { name: nameOf(directory), path: directory, files, subdirectories };
}

/** The absolute path of an existing directory. Throws if it is missing or a file. */
export function existingDirectory(filesystem: Filesystem, path: string): string {
  const directory = absolutePath(path);
  const entry = entryAt(filesystem, directory);
  if (entry?.kind === 'file') throw notADirectory(directory);
  if (entry !== undefined) return directory;
  const file = ancestors(directory).find((ancestor) => entryAt(filesystem, ancestor)?.kind === 'file');
  throw file === undefined ? directoryMissing(directory) : notADirectory(file);
}

function childrenOf({ entries }: Filesystem, directory: string): string[] {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  return Object.keys(entries)
    .filter((path) => path.startsWith(prefix) && path !== prefix && !path.includes('/', prefix.length))
    .sort();
}

function fileRecord(path: string, file: FileEntry): FileRecord {
  return {
    name: nameOf(path),
    path,
    size: file.size,
    owner: file.owner,
    group: file.group,
    permissions: `0${file.permissions.toString(8)}`,
    lastModified: timestamp(file.lastModified),
  };
}

/** Throws if a path would be both a file and a directory. */
function checkPlaces(filesystem: Filesystem, root: string, files: readonly string[]): void {
  const written = new Set(files);
  for (const directory of new Set([root, ...ancestors(root), ...files.flatMap(ancestors)])) {
    if (written.has(directory) || entryAt(filesystem, directory)?.kind === 'file') throw notADirectory(directory);
  }
  for (const file of files) if (entryAt(filesystem, file)?.kind === 'directory') throw notAFile(file);
}

function putFile(filesystem: Filesystem, path: string, bytes: Buffer, now: Instant, permissions?: number): void {
  makeDirectory(filesystem, parentPath(path));
  const before = entryAt(filesystem, path);
  const kept = before?.kind === 'file' ? before : { permissions: DEFAULT_PERMISSIONS, owner: OWNER, group: GROUP };
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  filesystem.entries[path] = {
    kind: 'file',
    content: bytes.toString(encoding),
    encoding,
    size: bytes.length,
    permissions: permissions ?? kept.permissions,
    owner: kept.owner,
    group: kept.group,
    lastModified: now,
  };
}

function makeDirectory(filesystem: Filesystem, directory: string): void {
  for (const place of [directory, ...ancestors(directory)]) filesystem.entries[place] ??= { kind: 'directory' };
}

/** The parent directories of a path, nearest first, root last. */
function ancestors(path: string): string[] {
  const above: string[] = [];
  for (let place = path; place !== '/';) above.push((place = parentPath(place)));
  return above;
}

function entryAt({ entries }: Filesystem, path: string): FileEntry | DirectoryEntry | undefined {
  return Object.hasOwn(entries, path) ? entries[path] : undefined;
}
