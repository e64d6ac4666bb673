import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { BodyTooLargeError, createBodyReader, DEFAULT_MAX_BODY, MAX_BODIES } from './read-body.ts';
import { createTransport } from './transport.ts';

const MEBIBYTE = 2 ** 20;
const chunk = Buffer.alloc(2 ** 16, 'a');
const never = new AbortController().signal;

/** Bodies that count the bytes that their readers hold. */
function countedBodies() {
  let [held, peak] = [0, 0];
  const body = (length: number, beforeEnd: Promise<unknown> = Promise.resolve()) => {
    let delivered = 0;
    return {
      async *[Symbol.asyncIterator]() {
        for (; delivered < length; delivered += chunk.length) {
          await turn();
          held += chunk.length;
          peak = Math.max(peak, held);
          yield chunk;
        }
        await beforeEnd;
      },
      destroy: () => void (held -= delivered),
    };
  };
  return { body, held: () => held, peak: () => peak };
}

describe('bodies that are read at the same time', () => {
  test.each([
    { concurrency: 1, mebibytes: 16 },
    { concurrency: 16, mebibytes: 16 },
    { concurrency: 64, mebibytes: 6 },
    { concurrency: MAX_BODIES, mebibytes: 3 },
  ])('$concurrency of $mebibytes MiB each take at most 32 MiB together', async ({ concurrency, mebibytes }) => {
    const bodies = countedBodies();
    const read = createBodyReader({ maxBody: DEFAULT_MAX_BODY, concurrency });
    const length = mebibytes * MEBIBYTE;
    const lengths = await Promise.all(
      Array.from({ length: concurrency }, async () => (await read(bodies.body(length), never)).length),
    );
    expect(new Set(lengths)).toEqual(new Set([length]));
    expect(bodies.peak()).toBeLessThanOrEqual(32 * MEBIBYTE);
  });

  test('with a larger --max-body they take 16 MiB more than that', async () => {
    const bodies = countedBodies();
    const maxBody = 24 * MEBIBYTE;
    const read = createBodyReader({ maxBody, concurrency: 8 });
    const texts = await Promise.all(
      Array.from({ length: 8 }, async () => (await read(bodies.body(maxBody), never)).length),
    );
    expect(texts).toEqual(Array.from({ length: 8 }, () => maxBody));
    expect(bodies.peak()).toBeGreaterThan(maxBody);
    expect(bodies.peak()).toBeLessThanOrEqual(maxBody + 16 * MEBIBYTE);
  });

  test('while a large one never ends small ones are read, and its deadline lets other large ones continue', async () => {
    const bodies = countedBodies();
    const read = createBodyReader({ maxBody: DEFAULT_MAX_BODY, concurrency: 64 });
    const deadline = new AbortController();
    const aborted = new Promise((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(new Error('too late')));
    });
    const endless = read(bodies.body(15 * MEBIBYTE, aborted), deadline.signal).catch(String);
    await expect.poll(bodies.held, { timeout: 10_000 }).toBe(15 * MEBIBYTE);
    const small = await Promise.all(Array.from({ length: 64 }, () => read(bodies.body(100_000), never)));
    expect(small).toHaveLength(64);
    const [large, larger] = [15, 16].map((mebibytes) => read(bodies.body(mebibytes * MEBIBYTE), never));
    const waiting = new AbortController();
    const impatient = read(bodies.body(16 * MEBIBYTE), waiting.signal).catch(String);
    setTimeout(() => waiting.abort(new Error('waited long enough')), 50);
    expect(await impatient).toBe('Error: waited long enough');
    deadline.abort();
    expect([await endless, (await large!).length, (await larger!).length]).toEqual([
      'Error: too late',
      15 * MEBIBYTE,
      16 * MEBIBYTE,
    ]);
    expect(bodies.peak()).toBeLessThanOrEqual(32 * MEBIBYTE);
  });
});

test('a small body does not wait while large ones have taken all shared memory', async () => {
  const bodies = countedBodies();
  const read = createBodyReader({ maxBody: DEFAULT_MAX_BODY, concurrency: 16 });
  const end = Promise.withResolvers<void>();
  const large = Array.from({ length: 6 }, () => read(bodies.body(5 * MEBIBYTE, end.promise), never));
  await expect.poll(bodies.held, { timeout: 10_000 }).toBeGreaterThan(12 * MEBIBYTE);
  expect(await read(bodies.body(2 ** 18), never)).toHaveLength(2 ** 18);
  end.resolve();
  expect(await Promise.all(large)).toHaveLength(6);
});

test('a body that is too long is an error, and frees its memory', async () => {
  const bodies = countedBodies();
  const read = createBodyReader({ maxBody: MEBIBYTE, concurrency: 1 });
  for (let nth = 0; nth < 40; nth++)
    await expect(read(bodies.body(2 * MEBIBYTE), never)).rejects.toBeInstanceOf(BodyTooLargeError);
  expect(await read(bodies.body(MEBIBYTE), never)).toHaveLength(MEBIBYTE);
});

test('a body in pieces of one byte, which split characters, is read', async () => {
  const pieces = {
    async *[Symbol.asyncIterator]() {
      for (const byte of Buffer.from('añ😀'.repeat(20_000))) yield Uint8Array.of(byte);
    },
    destroy: () => {},
  };
  const read = createBodyReader({ maxBody: MEBIBYTE, concurrency: 1 });
  expect(await read(pieces, never)).toBe('añ😀'.repeat(20_000));
});

test('more requests than bodies may be read at the same time all get their responses', async () => {
  // Short enough not to depend on what other tests keep in memory, and long enough for bodies to wait for each other.
  const body = 'b'.repeat(60_000);
  await using server = await localServer(() => ({ body }));
  const transport = createTransport({ rate: 0, concurrency: 1000 });
  const request = { method: 'GET', path: '/', headers: {}, origin: server.address };
  const responses = await Promise.all(Array.from({ length: 150 }, () => transport.send(request)));
  await transport.close();
  expect(responses.every(({ text }) => text === body)).toBe(true);
});
