/** The part of `@playwright/test` that `playwright.ts` and the documentation use, because it is not installed in a checkout. */
declare module '@playwright/test' {
  import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright-core';

  export interface PlaywrightTestArgs {
    context: BrowserContext;
    page: Page;
    request: APIRequestContext;
  }
  export interface PlaywrightTestOptions {
    baseURL: string | undefined;
  }
  export interface PlaywrightWorkerArgs {
    browser: Browser;
  }
  export interface PlaywrightWorkerOptions {
    headless: boolean;
  }

  export interface TestType<TestArgs extends object, WorkerArgs extends object> {
    (title: string, body: (args: TestArgs & WorkerArgs) => Promise<void> | void): void;
    beforeEach(body: (args: TestArgs & WorkerArgs) => Promise<void> | void): void;
    use(options: Partial<TestArgs & WorkerArgs>): void;
    extend<Test extends object, Worker extends object>(
      fixtures: object,
    ): TestType<TestArgs & Test, WorkerArgs & Worker>;
  }

  export function expect(locator: unknown): { toBeVisible(): Promise<void> };
  export interface PlaywrightTestConfig<TestArgs, WorkerArgs> {
    testDir?: string;
    webServer?: { command: string; url: string };
    use?: Partial<PlaywrightTestOptions & PlaywrightWorkerOptions & TestArgs & WorkerArgs>;
  }
  export function defineConfig<TestArgs = object, WorkerArgs = object>(
    config: PlaywrightTestConfig<TestArgs, WorkerArgs>,
  ): object;

  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
}
