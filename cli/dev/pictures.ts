/** `npm run pictures`: takes the README's pictures anew, each of something that really ran. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';

const root = path.join(import.meta.dirname, '../..');
const LARGEST_BYTES = 300_000;

/** Each file, and who takes it. */
const pictures: Readonly<Record<string, (browser: Browser, file: string) => Promise<void>>> = {
  'reports/pictures/report.png': takeReport,
};

const deviations = [
  'errors.management.body-shape',
  'metrics.parameters.window-required',
  'metrics.resolution.picked-by-window',
];

/** Of a run against a mock with three deviations. */
async function takeReport(browser: Browser, file: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-pictures-'));
  try {
    const assay = [process.execPath, path.join(root, 'cli/assay.mjs')];
    const mock = [...assay, 'mock', '--port', '0', ...deviations.flatMap((id) => ['--deviate', id])];
    const test = [...assay, 'test', '--seed', '7', '--runs', '20', '--report', folder];
    const [command = '', ...words] = [...mock, '--', ...test];
    const { status } = spawnSync(command, words, { stdio: 'inherit' });
    if (status !== 1)
      throw new Error(`The run of the report's picture ended with ${status}; with deviations it fails with 1.`);
    const page = await browser.newPage({ viewport: { width: 1280, height: 940 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(path.join(folder, 'report.html')).href);
    await page.locator('h1').waitFor();
    await page.screenshot({ path: file });
    await page.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const browser = await openBrowser();
try {
  for (const [name, take] of Object.entries(pictures)) {
    const file = path.join(root, name);
    await take(browser, file);
    const { size } = statSync(file);
    if (size > LARGEST_BYTES) throw new Error(`${name} has ${size} bytes; ${LARGEST_BYTES} are enough.`);
    process.stdout.write(`${name}: ${size} bytes\n`);
  }
} finally {
  await browser.close();
}
