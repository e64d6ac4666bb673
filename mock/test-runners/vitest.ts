/** `@svc/assay/vitest`: vitest's `test` with a mock per file and a world per test. Needs vitest 3.2 or newer. */
import type { TestAPI } from 'vitest';
import { mock, type MockFixtures, type WorldFixtures } from './fixtures.ts';
import { world } from './vitest-world.ts';

export type { MockFixtures, WorldFixtures } from './fixtures.ts';

/** The vitest that runs the file, which may be another version than the one that is installed with this package. */
const { __vitest_index__: running } = globalThis as { __vitest_index__?: typeof import('vitest') };
const { test: base } = running ?? (await import('vitest'));

export const test: TestAPI<MockFixtures & WorldFixtures> = base.extend<MockFixtures & WorldFixtures>({
  mockOptions: [{}, { scope: 'file' }],
  mock: [mock, { scope: 'file' }],
  worldOptions: {},
  world,
});
