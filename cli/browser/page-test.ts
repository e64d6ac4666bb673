/** Tests that look at a page in a real browser; left out where there is none. */
import { source as axeSource } from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { browserPath } from '../dev/browser-path.ts';
import { openBrowser } from '../dev/browser.ts';

/** For `describe.skipIf`. */
export const noBrowser = browserPath === undefined;

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Addresses of everything that was asked for. */
  readonly requested: readonly string[];
  /** Errors that the page threw or wrote to its console. */
  readonly errors: readonly string[];
}

/** A page of a fresh profile, at the address. */
export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (
    await (browser ??= openBrowser())
  ).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const [requested, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  return { page, requested, errors, [Symbol.asyncDispose]: () => context.close() };
}

/** What axe-core objects to in the page as it is, a line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
