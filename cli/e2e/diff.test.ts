/** `assay diff`, tried with the real command. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ReportDiff } from '../../reports/diff/compare-reports.ts';
import { FAILED_RULE, sampleReport } from '../../reports/html/sample-run.ts';
import type { Report } from '../../spec/verdicts.ts';
import { newFolder, run } from './testing/assay-process.ts';

function folderOf(report: Report): string {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'report.json'), JSON.stringify(report));
  return folder;
}

const worse = folderOf(sampleReport());
const { requirements } = sampleReport();
const better = folderOf({
  ...sampleReport(),
  requirements: requirements.map((result) => (result.id === FAILED_RULE ? { ...result, verdict: 'passed' } : result)),
});
const slower = folderOf({
  ...sampleReport(),
  requirements: requirements.map((result) => (result.id === FAILED_RULE ? { ...result, durationMs: 9999 } : result)),
});

test('1 when the second is worse, 0 otherwise', async () => {
  const { code, out } = await run(['diff', better, path.join(worse, 'report.json')]);
  expect(out).toMatch(/^1 regression\n/);
  expect(out).toContain(`Newly failing (1)\n  ${FAILED_RULE}\n`);
  expect(code).toBe(1);
  expect((await run(['diff', worse, better])).code).toBe(0);
  expect((await run(['diff', worse, worse])).out).toContain('No differences.');
  expect((await run(['diff', slower, worse])).out).toContain('No differences.');
  expect((await run(['diff', slower, worse, '--timings'])).out).toContain('Timings that changed (1)');
});

test('--format json is machine-readable, --output FILE writes any format', async () => {
  const { out } = await run(['diff', better, worse, '--format', 'json'], { env: { GITHUB_ACTIONS: 'true' } });
  expect((JSON.parse(out) as ReportDiff).verdicts).toMatchObject([{ id: FAILED_RULE, worse: true }]);
  const file = path.join(newFolder(), 'diff.html');
  const written = await run(['diff', better, worse, '--format', 'html', '--output', file]);
  expect(written).toEqual({ code: 1, out: '' });
  expect(readFileSync(file, 'utf8')).toContain(`<th scope="row">${FAILED_RULE}`);
});

const later = folderOf({ ...sampleReport(), report: 2 as never });

test.each<[string, string[], string[]]>([
  ['one report', [better], ["'second'"]],
  ['a folder without a report', [better, newFolder()], ['report.json', 'does not exist']],
  ['a report of another form', [better, later], ['report.json', 'report is 2', 'expected 1']],
  ['a format that there is not', [better, worse, '--format', 'pdf'], ['"pdf"', 'text, json, html']],
  ['a place that cannot be written', [better, worse, '--output', '/nowhere/x'], ['/nowhere/x', '--output FILE']],
])('2 for %s, with a sentence that names it', async (_, words, message) => {
  const { code, out } = await run(['diff', ...words]);
  for (const part of message) expect(out).toContain(part);
  expect(code).toBe(2);
});
