/** The part of `@playwright/test` that `playwright.ts` uses, because the package is not installed in a checkout. */
declare module '@playwright/test' {
  import type { BrowserContext, Page } from 'playwright-core';

  export interface PlaywrightTestArgs {
    context: BrowserContext;
    page: Page;
  }
  export type PlaywrightTestOptions = object;
  export type PlaywrightWorkerArgs = object;
  export type PlaywrightWorkerOptions = object;

  export interface TestType<TestArgs extends object, WorkerArgs extends object> {
    (title: string, body: (args: TestArgs & WorkerArgs) => Promise<void> | void): void;
    extend<Test extends object, Worker extends object>(
      fixtures: object,
    ): TestType<TestArgs & Test, WorkerArgs & Worker>;
  }

  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
}
