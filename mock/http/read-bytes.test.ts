import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readBytes } from './read-bytes.ts';

const BYTES = 300_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a body that arrives byte by byte takes little more memory than its bytes', async () => {
  const request = new PassThrough();
  const reading = readBytes(request as unknown as IncomingMessage);
  const before = usedBytes();
  for (let nth = 0; nth < BYTES; nth++) request.emit('data', Buffer.alloc(1, 'a'));
  expect(usedBytes() - before).toBeLessThan(8 * 2 ** 20);
  request.resume().end();
  expect((await reading).equals(Buffer.alloc(BYTES, 'a'))).toBe(true);
});
