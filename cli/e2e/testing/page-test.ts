/** Tests of a page in a real browser; skipped without one. */
import { source as axeSource } from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { browserPath } from '../../dev/browser-path.ts';
import { openBrowser } from '../../dev/browser.ts';

/** For `describe.skipIf`. */
export const noBrowser = browserPath === undefined;

let browser: Promise<Browser> | undefined;
/** Unused open pages, each with its own profile: reusing one is faster than opening another. */
let idle: Page[] = [];

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
  idle = [];
});

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** The URLs of all requests of the page. */
  readonly requested: readonly string[];
  /** Errors that the page threw or wrote to its console. */
  readonly errors: readonly string[];
}

export interface VisitOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

/** A page at the address, where nothing is stored from visits before. */
export async function visit(address: string, look: VisitOptions = {}): Promise<Visit> {
  const { viewport = { width: 1280, height: 900 }, colorScheme = 'light' } = look;
  const page = idle.pop() ?? (await (await (browser ??= openBrowser())).newPage());
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme });
  page.setDefaultTimeout(60_000);
  const [requested, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  const leave = async (): Promise<void> => {
    for (const event of ['request', 'pageerror', 'console']) page.removeAllListeners(event);
    await page.context().clearCookies();
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    await page.goto('about:blank');
    idle.push(page);
  };
  return { page, requested, errors, [Symbol.asyncDispose]: leave };
}

const COLOURS_ARE_THERE = `new Promise(requestAnimationFrame)
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  .then(() => {})`;

/**
 * What axe-core objects to in the page as it is, in light and in dark, a line each: within what the selector picks, since
 * a long page takes long. Leaves the page dark.
 */
export async function axeViolations(page: Page, within = ':root'): Promise<string[]> {
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const [colorScheme, run] of [
    ['light', `axe.run(${JSON.stringify(within)})`],
    ['dark', `axe.run(${JSON.stringify(within)}, { runOnly: ['color-contrast'] })`], // nothing but colours is another
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(COLOURS_ARE_THERE);
    const { violations } = (await page.evaluate(run)) as AxeResults;
    const line = (id: string, html: string): string => `${id}: ${html.slice(0, 200)} (${colorScheme})`;
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => line(id, html))));
  }
  return found;
}
