/** Measures the time in which a browser opens a report with 2,000 exchanges of a failed rule. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { browserPath } from '../cli/dev/browser-path.ts';
import { openBrowser } from '../cli/dev/browser.ts';
import { writeSampleRun } from '../reports/html/sample-run.ts';
import { median } from './median.ts';

const ROUNDS = 5;

/** From the beginning of the navigation to the first content on the screen; undefined where there is no browser. */
export async function reportPageMilliseconds(): Promise<number | undefined> {
  if (browserPath === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  const browser = await openBrowser();
  try {
    const { href } = pathToFileURL(await writeSampleRun(folder, 2000));
    const seen: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const milliseconds = await opened(browser, href);
      if (round > 0) seen.push(milliseconds);
    }
    return median(seen);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** Measured by the browser, because the page forbids evaluating asynchronous scripts. */
const FIRST_CONTENT = `new Promise((resolve) =>
  new PerformanceObserver((paints) => {
    for (const { startTime } of paints.getEntriesByName('first-contentful-paint')) resolve(startTime);
  }).observe({ type: 'paint', buffered: true }),
)`;

async function opened(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  const milliseconds = await page.evaluate<number>(FIRST_CONTENT);
  await page.close();
  return milliseconds;
}
