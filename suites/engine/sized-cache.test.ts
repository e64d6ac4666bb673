import { expect, test } from 'vitest';
import { createSizedCache } from './sized-cache.ts';

/** A cache of texts, and what was made. */
function cacheOf(maxTotal: number) {
  const cache = createSizedCache<string>(maxTotal, ({ length }) => length);
  const made: string[] = [];
  const get = (key: string, value: string | Promise<string> = 'x'.repeat(10)): Promise<string> =>
    cache.get(key, async () => {
      made.push(key);
      return value;
    });
  return { get, made };
}

test('a value that is too long alone is not kept, and the others are', async () => {
  const { get, made } = cacheOf(25);
  await get('a');
  await get('long', 'x'.repeat(26));
  for (const key of ['a', 'long']) await get(key);
  expect(made).toEqual(['a', 'long', 'long']);
});

test('a value that is no longer usable is made again', async () => {
  const cache = createSizedCache<string>(25, ({ length }) => length);
  const made: string[] = [];
  const get = (value: string): Promise<string> =>
    cache.get(
      'a',
      async () => (made.push(value), value),
      (kept) => kept !== 'old',
    );
  for (const value of ['old', 'new', 'newer']) await get(value);
  expect(made).toEqual(['old', 'new']);
});

test('a value that is being made is made once, however many others are kept meanwhile', async () => {
  const { get, made } = cacheOf(25);
  const { promise, resolve } = Promise.withResolvers<string>();
  const pending = get('slow', promise);
  for (const key of ['a', 'b', 'c']) await get(key);
  const again = get('slow');
  resolve('slow');
  expect([await pending, await again]).toEqual(['slow', 'slow']);
  for (const key of ['c', 'slow', 'c']) await get(key);
  expect(made).toEqual(['slow', 'a', 'b', 'c']);
});

test('a long value makes room for short ones, but not for long', async () => {
  const { get, made } = cacheOf(25);
  await get('long', 'x'.repeat(20));
  for (const key of ['a', 'b', 'c', 'a']) await get(key);
  expect(made).toEqual(['long', 'a', 'b', 'c', 'a']);
  await get('long', 'x'.repeat(20));
});

test('an error is not kept', async () => {
  const { get, made } = cacheOf(25);
  await expect(get('a', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await get('a');
  await get('a');
  expect(made).toEqual(['a', 'a']);
});
