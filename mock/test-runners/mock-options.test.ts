// oxlint-disable vitest/no-standalone-expect -- the linter does not know that `test` is that of vitest
import { expect } from 'vitest';
import { test } from './vitest.ts';

test.override({ mockOptions: { brand: 'Acme', clock: 'frozen' } });

test('a file has its own options of the mock, and so have its worlds', async ({ mock, world }) => {
  expect([mock.target.brand, world.target.brand]).toEqual(['Acme', 'Acme']);
  expect((await mock.clock.get()).mode).toBe('frozen');
});
