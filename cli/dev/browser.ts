/** Opens the browser of this machine for tests and pictures; nothing is downloaded. */
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { browserPath } from './browser-path.ts';

/** The browser sends no requests besides those of its pages. Throws if there is no browser. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('No browser was found; the variable CHROMIUM may name one.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox', // there is no sandbox for root in a container
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
