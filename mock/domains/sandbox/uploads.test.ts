import { expect, test } from 'vitest';
import { createFilesystem, listDirectory, readFile } from './filesystem.ts';
import { permissionsOf } from './upload-bodies.ts';
import {
  abortUpload,
  completeUpload,
  initiateUpload,
  listParts,
  listUploads,
  uploadPart,
  type Uploads,
} from './uploads.ts';

const NOW = Date.UTC(2026, 3, 16);
const ID = '0f8fad5b-d9cb-4469-a165-70867728950e';

function opened(): Uploads {
  const uploads: Uploads = {};
  initiateUpload(uploads, ID, 'app/big.bin', NOW, 0o600);
  return uploads;
}

test('the list of active uploads omits the content of parts', () => {
  const uploads = opened();
  uploadPart(uploads, ID, '1', Buffer.from('one'), NOW + 1000);
  const part = {
    partNumber: 1,
    size: 3,
    etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    uploadedAt: '2026-04-16T00:00:01.000Z',
  };
  expect(listUploads(uploads)).toEqual([
    {
      uploadId: ID,
      path: '/app/big.bin',
      permissions: 0o600,
      initiatedAt: '2026-04-16T00:00:00.000Z',
      parts: { 1: part },
    },
  ]);
});

test('parts are joined in the order of their numbers; a part sent again replaces the first', () => {
  const uploads = opened();
  const filesystem = createFilesystem();
  uploadPart(uploads, ID, '10', Buffer.from('three'), NOW);
  uploadPart(uploads, ID, '2', Buffer.from('x'), NOW);
  uploadPart(uploads, ID, '2', Buffer.from('two-'), NOW);
  uploadPart(uploads, ID, '1', Buffer.from([0xff]), NOW);
  expect(readFile(filesystem, '/app/big.bin')).toBeUndefined();
  const parts = listParts(uploads, ID);
  expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 10]);
  expect(completeUpload(uploads, filesystem, ID, NOW, { parts: parts.toReversed() })).toBe('/app/big.bin');
  expect(readFile(filesystem, '/app/big.bin')).toEqual(Buffer.concat([Buffer.from([0xff]), Buffer.from('two-three')]));
  expect(listDirectory(filesystem, '/app').files?.[0]).toMatchObject({ size: 10, permissions: '0600' });
  expect(listUploads(uploads)).toEqual([]);
});

test('only the named parts are used, and only if their ETags match', () => {
  const uploads = opened();
  const filesystem = createFilesystem();
  const { etag } = uploadPart(uploads, ID, '1', Buffer.from('one'), NOW);
  const second = { partNumber: 2, etag: uploadPart(uploads, ID, '2', Buffer.from('two'), NOW).etag };
  const first = { partNumber: 1, etag };
  const complete = (...parts: { partNumber: number; etag: string }[]) =>
    completeUpload(uploads, filesystem, ID, NOW, { parts });
  expect(() => complete({ partNumber: 3, etag })).toThrow('the parts uploaded: 1, 2');
  expect(() => complete({ partNumber: 2, etag })).toThrow('the etag of part 2');
  expect(() => complete(first, second, first)).toThrow('parts is 1; allowed: each part once');
  complete(first);
  expect(readFile(filesystem, '/app/big.bin')?.toString()).toBe('one');
});

test('an upload whose file cannot be written stays active', () => {
  const uploads = opened();
  const filesystem = createFilesystem(['/app/big.bin']);
  expect(() => completeUpload(uploads, filesystem, ID, NOW, { parts: [] })).toThrow('is a directory');
  expect(listUploads(uploads)).toHaveLength(1);
});

test('an aborted or nonexistent upload is unknown', () => {
  const uploads = opened();
  abortUpload(uploads, ID);
  for (const id of [ID, '__proto__', 'toString']) {
    expect(() => abortUpload(uploads, id)).toThrow('does not exist');
    expect(() => uploadPart(uploads, id, '1', Buffer.alloc(0), NOW)).toThrow('does not exist');
    expect(() => listParts(uploads, id)).toThrow('does not exist');
    expect(() => completeUpload(uploads, createFilesystem(), id, NOW, { parts: [] })).toThrow('does not exist');
  }
});

test.each(['0', '-1', '1.5', '01', '', 'x', '10001', '1e3'])('part number %j is rejected', (partNumber) => {
  expect(() => uploadPart(opened(), ID, partNumber, Buffer.alloc(0), NOW)).toThrow('allowed: 1 to 10000');
});

test.each([
  ['0644', 0o644],
  ['644', 0o644],
  ['0', 0],
  ['0777', 0o777],
  [420, 0o644],
  [undefined, undefined],
])('permissions %j are accepted', (permissions, mode) => {
  expect(permissionsOf({ permissions })).toBe(mode);
});

test.each([-1, 0o1000, 1.5, null, true, '', '1000', '0888', '0x1ff', '-644', ' 644', 'rw-r--r--', ['0644']])(
  'permissions %j are rejected',
  (permissions) => {
    expect(() => permissionsOf({ permissions })).toThrow('an octal string');
  },
);
