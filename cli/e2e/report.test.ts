/** `assay report` prints where a report is; tests the real command. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { assay, newFolder, run } from './testing/assay-process.ts';

/** Writes the page of a report. `seconds`: when, since the epoch. */
function pageIn(folder: string, seconds: number): string {
  mkdirSync(folder, { recursive: true });
  const page = path.join(folder, 'report.html');
  writeFileSync(page, '<p>report');
  utimesSync(page, seconds, seconds);
  return page;
}

test('0, and it prints the path of the latest report, or of the given one', async () => {
  const cwd = newFolder();
  const [older, latest] = [2, 3].map((at) => pageIn(path.join(cwd, 'reports', 'out', `r${4 - at}`), at));
  const other = pageIn(path.join(cwd, 'elsewhere'), 9);
  expect(await run(['report'], { cwd })).toEqual({ code: 0, out: `${latest}\n` });
  expect(await run(['report', 'reports/out/r2'], { cwd })).toEqual({ code: 0, out: `${older}\n` });
  expect(await run(['report', 'elsewhere/report.html', '--no-open'], { cwd })).toEqual({ code: 0, out: `${other}\n` });
});

test('2 without a report, with what to do', async () => {
  const cwd = newFolder();
  const none = await run(['report'], { cwd });
  expect(none.out).toContain('No report in reports/out. Run assay test first');
  expect(none.code).toBe(2);
  const missing = await run(['report', 'nowhere'], { cwd });
  expect({ code: missing.code, out: missing.out }).toEqual({
    code: 2,
    out: 'assay report: "nowhere" does not exist. Expected a report folder of assay test.\n',
  });
  mkdirSync(path.join(cwd, 'empty'));
  expect((await run(['report', 'empty'], { cwd })).out).toContain('empty has no report.html');
});

/** `script` provides a terminal. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true;

test.skipIf(!hasTerminal)('on a terminal with a display it also opens the page, but not in CI', async () => {
  const cwd = newFolder();
  const page = pageIn(path.join(cwd, 'reports', 'out', 'r1'), 1);
  const opener = path.join(cwd, 'xdg-open');
  const opened = path.join(cwd, 'opened');
  writeFileSync(opener, `#!/bin/sh\necho "$#" "$1" >> '${opened}'\n`);
  chmodSync(opener, 0o700);
  const { CI: _, ...inherited } = process.env;
  const onTerminal = (words: string, more: Record<string, string> = {}) => {
    const env = { ...inherited, PATH: `${cwd}:${process.env['PATH']}`, DISPLAY: ':0', ...more };
    const command = `'${process.execPath}' '${assay}' report ${words}`;
    return spawnSync('script', ['-qec', command, '/dev/null'], { cwd, env, encoding: 'utf8' });
  };
  for (const { stdout } of [onTerminal('--no-open'), onTerminal('', { CI: 'true' }), onTerminal('')])
    expect(stdout).toContain(page);
  await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`1 ${page}\n`), 10_000);
});
