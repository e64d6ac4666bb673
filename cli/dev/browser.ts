/** Opens the browser of this machine for tests and pictures; nothing is downloaded. */
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { browserPath } from './browser-path.ts';

/** It asks nobody for anything but what a page does. Throws where there is no browser. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('No browser was found; the variable CHROMIUM may name one.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox', // as root in a container there is none
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
