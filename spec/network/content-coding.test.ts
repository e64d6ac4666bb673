import { PassThrough } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeContent, decodedStream } from './content-coding.ts';

const content = Buffer.from('{"values": ["ü"]}');

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  [' br ', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['deflate, gzip', (bytes: Buffer) => gzipSync(deflateSync(bytes))],
  ['identity, br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
  ['', (bytes: Buffer) => bytes],
])('content with the coding "%s" is decoded', async (coding, encode) => {
  expect(decodeContent(encode(content), coding, 100).toString()).toBe(content.toString());
  const body = new PassThrough();
  body.end(encode(content));
  const chunks = await decodedStream(body, coding).toArray();
  expect(Buffer.concat(chunks as Buffer[]).toString()).toBe(content.toString());
});

test.each(['gzip', 'deflate', 'br', 'zstd', 'br, gzip', 'identity'])(
  'an empty body with the coding %s is empty',
  async (coding) => {
    expect(decodeContent(Buffer.alloc(0), coding, 100)).toHaveLength(0);
    const body = new PassThrough();
    body.end();
    expect(await decodedStream(body, coding).toArray()).toEqual([]);
  },
);

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a stream with the coding %s may be cut', async (coding, encode) => {
  const body = new PassThrough();
  body.end(encode(content).subarray(0, -1));
  expect(Buffer.concat((await decodedStream(body, coding).toArray()) as Buffer[]).length).toBeLessThanOrEqual(
    content.length,
  );
});

test('long content, an unknown coding and bytes in another one throw', () => {
  expect(() => decodeContent(gzipSync(Buffer.alloc(101)), 'gzip', 100)).toThrow(RangeError);
  expect(() => decodeContent(content, 'assay', 100)).toThrow('unknown content coding assay');
  expect(() => decodeContent(content, 'gzip, assay', 100)).toThrow('unknown content coding gzip, assay');
  expect(() => decodeContent(gzipSync(content), 'gzip, gzip, gzip, gzip, gzip', 100)).toThrow('unknown content coding');
  expect(() => decodeContent(content, 'gzip', 100)).toThrow('incorrect header check');
});

test('the content of a stream arrives before its end', async () => {
  const encoder = createGzip();
  const decoded = decodedStream(encoder, 'gzip');
  encoder.write('first\n');
  encoder.flush();
  let text = '';
  decoded.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toBe('first\n');
  decoded.destroy();
  await expect.poll(() => encoder.destroyed).toBe(true);
});
