import { expect, test } from 'vitest';
import { deriveSigningKey } from './signing-key.ts';

const publicOf = (seed: number, secret?: string) => deriveSigningKey(seed, secret).publicJwk.x;

test('a key depends on the seed and the secret, whatever key was derived before', () => {
  const [one, other, secret] = [publicOf(1), publicOf(2), publicOf(1, 'secret')];
  expect(new Set([one, other, secret]).size).toBe(3);
  expect([publicOf(1), publicOf(2), publicOf(1, 'secret')]).toEqual([one, other, secret]);
});
