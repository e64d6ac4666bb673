/** `npm run pictures`: takes the README's screenshots of real runs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { startMock } from '../../mock/start-mock.ts';
import { openBrowser } from './browser.ts';

const root = path.join(import.meta.dirname, '../..');
const LARGEST_BYTES = 300_000;

/** Each file and the function that takes its screenshot. */
const pictures: Readonly<Record<string, (browser: Browser, file: string) => Promise<void>>> = {
  'docs/images/report.png': takeReport,
  'docs/images/console.png': takeConsole,
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
    if (status !== 1) throw new Error(`Expected exit code 1 from the run with deviations, got ${status}.`);
    const page = await browser.newPage({ viewport: { width: 1280, height: 940 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(path.join(folder, 'report.html')).href);
    await page.locator('h1').waitFor();
    await page.screenshot({ path: file });
    await page.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The console of a mock that has received a few requests, some of them invalid. */
async function takeConsole(browser: Browser, file: string): Promise<void> {
  await using mock = await startMock({ seed: 7, clock: 'frozen', now: Date.UTC(2026, 3, 16, 9) });
  const { management, host } = mock.addresses;
  const headers = {
    authorization: `Bearer ${mock.target.credentials.admin.value}`,
    'content-type': 'application/json',
  };
  const manage = (method: string, below: string, body?: object) =>
    fetch(management + below, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const agent = (memory: unknown) => ({ metadata: { name: 'demo-agent' }, spec: { runtime: { memory } } });
  await manage('GET', '/agents');
  await manage('PUT', '/agents/demo-agent', agent('much'));
  await manage('PUT', '/agents/demo-agent', agent(4096));
  await manage('POST', '/vpcs', { metadata: { name: 'net' }, spec: {} });
  await fetch(`${management}/jobs`);
  await manage('GET', '/agents/nobody');
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, colorScheme: 'light' });
  await page.goto(`${host}/_mock/#journal`);
  await page.locator('.row', { hasText: 'must be an integer' }).click();
  await page.screenshot({ path: file });
  await page.close();
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
