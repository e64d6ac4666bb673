import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mergeExchanges } from './merge-exchanges.ts';

const line = (number: number, url: string): string => `${JSON.stringify({ number, request: { url } })}\n`;

test('exchanges are renumbered, and truncated lines are skipped and reported', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-merge-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second, missing, merged] = ['1', '2', '3', 'merged'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(first, line(1, 'a') + line(2, 'b').slice(0, -9));
  writeFileSync(second, line(1, 'c'));
  expect(await mergeExchanges([first, second, missing], merged)).toEqual([{ file: first, lines: 1 }]);
  expect(readFileSync(merged, 'utf8')).toBe(line(1, 'a') + line(2, 'c'));
});

test('control and invisible characters are escaped', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-merge-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [path.join(folder, '1'), path.join(folder, 'merged')];
  writeFileSync(from, line(1, 'a\u009b31m\u202e\u{e0041}'));
  await mergeExchanges([from], to);
  const merged = readFileSync(to, 'utf8');
  expect(merged).not.toMatch(/[\u009b\u202e\u{e0041}]/u);
  expect(JSON.parse(merged)).toEqual(JSON.parse(readFileSync(from, 'utf8')));
});
