import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openerFor, openPage } from './open-page.ts';

const linux = { platform: 'linux', environment: { DISPLAY: ':0' }, isTerminal: true } as const;

test.each([
  ['xdg-open', 'on Linux with a display', linux],
  ['xdg-open', 'on Linux with Wayland', { ...linux, environment: { WAYLAND_DISPLAY: 'wayland-0' } }],
  ['open', 'on macOS', { ...linux, platform: 'darwin', environment: {} }],
  ['explorer.exe', 'on Windows', { ...linux, platform: 'win32', environment: {} }],
  [undefined, 'in CI', { ...linux, environment: { DISPLAY: ':0', CI: 'true' } }],
  [undefined, 'in a pipe', { ...linux, isTerminal: false }],
  [undefined, 'without a display', { ...linux, environment: { DISPLAY: '' } }],
  [undefined, 'on macOS in a remote shell', { ...linux, platform: 'darwin', environment: { SSH_CONNECTION: '1 2' } }],
  [undefined, 'on another platform', { ...linux, platform: 'sunos' }],
] as const)('%s %s', (opener, _, surroundings) => {
  expect(openerFor(surroundings)).toBe(opener);
});

test('the program gets the path as one argument, whatever characters it has', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-open-'));
  const opener = path.join(folder, 'opener');
  writeFileSync(
    opener,
    `#!/bin/sh\nfor word; do echo "[$word]"; done > "${folder}/new"\nmv "${folder}/new" "${folder}/words"\n`,
  );
  chmodSync(opener, 0o700);
  const page = path.join(folder, `it's $(touch x) & "y".html`);
  expect(await openPage(opener, page)).toBe(true);
  const words = await vi.waitFor(() => readFileSync(path.join(folder, 'words'), 'utf8'), 10_000);
  expect(words).toBe(`[${page}]\n`);
});

test('false if there is no such program', async () => {
  expect(await openPage('assay-has-no-such-program', '/tmp/report.html')).toBe(false);
});
