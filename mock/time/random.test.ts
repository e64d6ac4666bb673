import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

test('the same seed gives the same values', () => {
  const draw = () => {
    const random = createRandom(7);
    return [random.next(), random.hex(5), random.uuid()];
  };
  expect(draw()).toEqual(draw());
});

test('a generator continues from the state of another', () => {
  const first = createRandom(7);
  first.next();
  const second = createRandom(first.state());
  expect(second.next()).toBe(first.next());
});

test('a uuid has the form of version 4', () => {
  expect(createRandom(1).uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
