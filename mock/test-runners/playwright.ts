/** `@svc/assay/playwright`: Playwright's `test` with a mock per worker and a world per test. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { MockFixtures } from './fixtures.ts';
import { playwrightFixtures, type PageFixtures } from './playwright-fixtures.ts';

export type { MockFixtures, WorldFixtures } from './fixtures.ts';
export type { MockTestOptions, MockWorkerOptions, PageFixtures } from './playwright-fixtures.ts';

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PageFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockFixtures
> = base.extend<PageFixtures, MockFixtures>(playwrightFixtures);
