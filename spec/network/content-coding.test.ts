import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
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
  ['identity', (bytes: Buffer) => bytes],
  ['', (bytes: Buffer) => bytes],
])('content with the coding "%s" is decoded', async (coding, encode) => {
  expect(Buffer.from(decodeContent(encode(content), coding, 100)).toString()).toBe(content.toString());
  const body = new PassThrough();
  body.end(encode(content));
  const chunks = await decodedStream(body, coding).toArray();
  expect(Buffer.concat(chunks as Buffer[]).toString()).toBe(content.toString());
});

test('long content, an unknown coding and bytes in another one throw', () => {
  expect(() => decodeContent(gzipSync(Buffer.alloc(101)), 'gzip', 100)).toThrow(RangeError);
  expect(() => decodeContent(content, 'assay', 100)).toThrow('unknown content coding assay');
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
  await turn();
  expect(encoder.destroyed).toBe(true);
});
