/** The in-memory files of a sandbox, as plain data for snapshots. */
import { isUtf8 } from 'node:buffer';
import type { DirectoryListing, FileEntry as FileRecord } from '../../../spec/generated/types.ts';
import { directoryMissing, invalidField, notADirectory, notAFile, notEmpty, notFound } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import { timestamp } from '../../time/clock.ts';
import { unlimitedRoom, usageOf, type Room } from './room.ts';
import { absolutePath, fileBelow, filePath, isBelow, nameOf, parentPath } from './path.ts';

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
 * Returns the absolute paths of the files, in the order given. Throws if a file would be outside of the directory.
 */
export function writeTree(
  filesystem: Filesystem,
  directory: string,
  files: Readonly<Record<string, string>>,
  now: Instant,
  room: Room = unlimitedRoom,
): string[] {
  const root = absolutePath(directory);
  const contents = new Map(Object.entries(files).map(([path, content]) => [fileBelow(root, path), content]));
  checkPlaces(filesystem, root, [...contents.keys()]);
  room(additionOf(filesystem, root, contents));
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
  { permissions, room = unlimitedRoom }: { readonly permissions?: number; readonly room?: Room } = {},
): string {
  const absolute = filePath(path);
  checkPlaces(filesystem, parentPath(absolute), [absolute]);
  room(additionOf(filesystem, parentPath(absolute), new Map([[absolute, bytes]])));
  putFile(filesystem, absolute, bytes, now, permissions);
  return absolute;
}

/**
 * Deletes a file, or a directory and everything below it, if it is empty or `isRecursive`. Returns the absolute paths of the deleted
 * files. Throws if nothing is there, and for the root.
 */
export function removeEntry(filesystem: Filesystem, path: string, isRecursive: boolean): string[] {
  const absolute = absolutePath(path);
  const entry = entryAt(filesystem, absolute);
  if (entry === undefined) throw notFound('File or directory', absolute);
  if (absolute === '/') throw invalidField('path', path, 'a path below the root');
  const below = Object.keys(filesystem.entries).filter((each) => isBelow(each, absolute));
  if (below.length > 0 && !isRecursive) throw notEmpty('Directory', absolute, 'files or directories');
  const removed = [absolute, ...below];
  const files = removed.filter((each) => filesystem.entries[each]?.kind === 'file');
  for (const each of removed) dropEntry(filesystem, each);
  return files;
}

function dropEntry(filesystem: Filesystem, path: string): void {
  const entry = filesystem.entries[path];
  const usage = usageOf(filesystem);
  usage.files--;
  usage.bytes -= path.length + (entry?.kind === 'file' ? entry.size : 0);
  delete filesystem.entries[path];
}

/** The record of a file, as in a listing. Undefined if it does not exist. */
export function findFile(filesystem: Filesystem, path: string): FileRecord | undefined {
  const absolute = absolutePath(path);
  const entry = entryAt(filesystem, absolute);
  return entry?.kind === 'file' ? fileRecord(absolute, entry) : undefined;
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
  const seen = new Set<string>();
  const checkDirectory = (directory: string): void => {
    for (let place = directory; !seen.has(place); place = parentPath(place)) {
      if (written.has(place) || entryAt(filesystem, place)?.kind === 'file') throw notADirectory(place);
      seen.add(place);
    }
  };
  checkDirectory(root);
  for (const file of files) checkDirectory(parentPath(file));
  for (const file of files) if (entryAt(filesystem, file)?.kind === 'directory') throw notAFile(file);
}

function putFile(filesystem: Filesystem, path: string, bytes: Buffer, now: Instant, permissions?: number): void {
  makeDirectory(filesystem, parentPath(path));
  const before = entryAt(filesystem, path);
  const kept = before?.kind === 'file' ? before : { permissions: DEFAULT_PERMISSIONS, owner: OWNER, group: GROUP };
  const encoding = encodingOf(bytes);
  const usage = usageOf(filesystem);
  usage.bytes += bytes.length - (before?.kind === 'file' ? before.size : -path.length);
  if (before === undefined) usage.files++;
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

/** Text of which JSON would escape much is stored like other bytes, so that a snapshot is not much larger than its files. */
function encodingOf(bytes: Buffer): FileEntry['encoding'] {
  if (!isUtf8(bytes)) return 'base64';
  if (bytes.length < LARGE_BYTES) return 'utf8';
  return JSON.stringify(bytes.toString()).length > bytes.length * BASE64_GROWTH ? 'base64' : 'utf8';
}

const LARGE_BYTES = 100_000;
const BASE64_GROWTH = 4 / 3;

/** What files add, with the directories that are missing. */
function additionOf(
  filesystem: Filesystem,
  root: string,
  contents: ReadonlyMap<string, string | Buffer>,
): { files: number; bytes: number } {
  const added = { files: 0, bytes: 0 };
  const missing = new Set<string>();
  for (const place of [root, ...ancestors(root)]) missing.add(place);
  for (const [path, content] of contents) {
    const before = entryAt(filesystem, path);
    added.bytes += Buffer.byteLength(content) - (before?.kind === 'file' ? before.size : -path.length);
    if (before === undefined) added.files++;
    // Directories above one that was seen were seen, too.
    for (let place = parentPath(path); !missing.has(place); place = parentPath(place)) missing.add(place);
  }
  for (const place of missing) {
    if (entryAt(filesystem, place) !== undefined) continue;
    added.files++;
    added.bytes += place.length;
  }
  return added;
}

function makeDirectory(filesystem: Filesystem, directory: string): void {
  // What is above an existing directory exists.
  for (let place = directory; entryAt(filesystem, place) === undefined; place = parentPath(place)) {
    const usage = usageOf(filesystem);
    usage.files++;
    usage.bytes += place.length;
    filesystem.entries[place] = { kind: 'directory' };
  }
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
