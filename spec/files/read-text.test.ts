import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFileError } from '../describe-file-error.ts';
import { decodeUtf8, isOpenedPipe, readTextFile, readTextStream } from './read-text.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-text-'));
const inFolder = (name: string): string => path.join(folder, name);
const socket = createServer();
const LIMIT = 1024;

beforeAll(async () => {
  mkdirSync(inFolder('folder'));
  execFileSync('mkfifo', [inFolder('pipe')]);
  symlinkSync('pipe', inFolder('link'));
  symlinkSync('circle', inFolder('circle'));
  writeFileSync(inFolder('sparse'), '');
  truncateSync(inFolder('sparse'), 5 * 2 ** 30);
  writeFileSync(inFolder('long'), 'a'.repeat(LIMIT + 1));
  await new Promise<void>((resolve) => void socket.listen(inFolder('socket'), resolve));
});
afterAll(() => {
  socket.close();
  rmSync(folder, { recursive: true });
});

function problemOf(file: string): string {
  try {
    return `it is read: ${readTextFile(file, LIMIT, { mayBePipe: true })}`;
  } catch (error) {
    return describeFileError(error);
  }
}

test.each([
  ['folder', 'is a folder; expected a file'],
  ['pipe', 'is a named pipe; expected a file'],
  ['link', 'is a named pipe; expected a file'],
  ['socket', 'is a socket; expected a file'],
  ['circle', 'is a circular symbolic link'],
  ['sparse', 'is larger than 1 KiB'],
  ['long', 'is larger than 1 KiB'],
  ['none', 'does not exist'],
])('a %s is not read: it %s', (name, problem) => {
  expect(problemOf(inFolder(name))).toBe(problem);
});

test.each(['/dev/zero', '/dev/tty', '/dev/random'])('the device %s is not read', (device) => {
  expect(problemOf(device)).toBe('is a device; expected a file');
});

test('a file of /proc, whose size is unknown, is read up to the limit', () => {
  expect(readTextFile('/proc/self/comm', LIMIT)).not.toBe('');
  expect(problemOf('/proc/self/smaps')).toBe('is larger than 1 KiB');
});

test('a file of exactly the limit is read', () => {
  writeFileSync(inFolder('exact'), 'a'.repeat(LIMIT));
  expect(readTextFile(inFolder('exact'), LIMIT)).toHaveLength(LIMIT);
});

test.each([
  ['UTF-16', Buffer.from('\ufeffa: 1', 'utf16le')],
  ['UTF-16', Buffer.from('a: 1', 'utf16le')],
  ['UTF-16', Buffer.from('a: 1', 'utf16le').swap16()],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
])('a text in %s is rejected by the name of its encoding', (encoding, bytes) => {
  expect(() => decodeUtf8(bytes)).toThrow(`is encoded in ${encoding}; expected UTF-8`);
});

test('a text in Latin-1 is rejected', () => {
  expect(() => decodeUtf8(Buffer.from('é', 'latin1'))).toThrow('is not UTF-8');
});

test('a byte order mark of UTF-8 is not part of the text', () => {
  expect(decodeUtf8(Buffer.from('\ufeffa: é'))).toBe('a: é');
});

test('a stream is read up to the limit', async () => {
  expect(await readTextStream(Readable.from(['ab', Buffer.from('c')]), 3)).toBe('abc');
  await expect(readTextStream(Readable.from(['ab', 'cd']), 3)).rejects.toThrow('is larger than');
});

test.each([
  ['/dev/stdin', true],
  ['/dev/fd/63', true],
  ['/proc/self/fd/3', true],
  ['/dev/zero', false],
  ['pipe', false],
])('whether %s is an opened pipe: %s', (file, expected) => {
  expect(isOpenedPipe(file)).toBe(expected);
});
