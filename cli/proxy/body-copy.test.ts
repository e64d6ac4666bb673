import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { copyOf, createCopyBudget } from './body-copy.ts';

async function copied(bytes: Buffer, longest?: number) {
  const stream = Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]);
  const copy = copyOf(stream, createCopyBudget(), longest);
  expect((await buffer(stream)).equals(bytes)).toBe(true);
  return copy;
}

const plain = Buffer.from('{"ä":1}');

test.each([
  [undefined, plain],
  ['identity', plain],
  ['gzip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['ZSTD', zstdCompressSync(plain)],
])('a body of content encoding %s is read', async (encoding, bytes) => {
  expect((await copied(bytes)).text(encoding)).toBe('{"ä":1}');
});

test('a body without bytes is empty, whatever its encoding', async () => {
  expect((await copied(Buffer.of())).text('gzip')).toBe('');
});

test.each(['gzip', 'gzip, br', 'compress'])(
  'a body that is no %s, or that nobody reads, is not read',
  async (encoding) => {
    expect((await copied(plain)).text(encoding)).toBeUndefined();
  },
);

test('a body longer than the limit is not read, packed or unpacked', async () => {
  const long = Buffer.alloc(1000, ' ');
  expect((await copied(long, 1000)).text(undefined)).toHaveLength(1000);
  expect((await copied(long, 999)).text(undefined)).toBeUndefined();
  expect((await copied(gzipSync(long), 999)).text('gzip')).toBeUndefined();
});

test('copies share their memory until they are released', async () => {
  const budget = createCopyBudget(100_000);
  const copyAll = async (length: number) => {
    const stream = Readable.from([Buffer.alloc(length, ' ')]);
    const copy = copyOf(stream, budget);
    expect(await buffer(stream)).toHaveLength(length);
    return copy;
  };
  const first = await copyAll(60_000);
  const second = await copyAll(60_000);
  expect(second.text(undefined)).toBeUndefined();
  expect(second.describeProblem(undefined)).toBe('the proxy holds too many other bodies');
  expect(first.text(undefined)).toHaveLength(60_000);
  for (const copy of [first, second, first]) copy.release();
  expect((await copyAll(100_000)).text(undefined)).toHaveLength(100_000);
});
