import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../spec/verdicts.ts';
import { sampleReport } from './html/sample-run.ts';
import { MergeError } from './merge.ts';
import { readReport, readShard, UnreadableReport } from './read-report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-read-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'report.json');
const report = sampleReport();

const write = (content: unknown, name = 'report.json'): void =>
  writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

function refusal(content: unknown): string {
  write(content);
  try {
    readReport(folder);
  } catch (error) {
    if (error instanceof UnreadableReport) return error.message;
    throw error;
  }
  return 'it is read';
}

test('a report is read back unchanged, by file or folder', () => {
  write(report);
  const written = JSON.parse(JSON.stringify(report)) as Report;
  expect(readReport(folder)).toEqual(written);
  expect(readReport(file)).toEqual(written);
});

test('unknown keys are ignored', () => {
  expect(refusal({ ...report, later: 1, run: { ...report.run, later: 1 } })).toBe('it is read');
});

const [first, ...rest] = report.requirements;
const { rule: _, ...ruleless } = first as Report['requirements'][number];

test.each<[string, unknown, string]>([
  ['another version', { ...report, report: 2 }, 'report is 2: expected 1, the version that this assay reads.'],
  ['something else', { a: 1 }, 'report is missing: expected 1'],
  ['null', null, 'report is missing: expected 1'],
  ['a list', [], 'report is missing'],
  ['nothing', '', 'is not valid JSON, or is truncated'],
  ['a truncated file', JSON.stringify(report).slice(0, 5000), 'is not valid JSON, or is truncated'],
  ['terminal escapes', '\u001b[2J', String.raw`\u001b[2J`],
  [
    'an unknown verdict',
    { ...report, requirements: [first, { ...first, verdict: 'green\u001b' }, ...rest] },
    String.raw`requirements[1].verdict: "green\u001b" is not one of passed, failed, known-failure`,
  ],
  [
    'a missing field',
    { ...report, requirements: [ruleless, ...rest] },
    'Missing key "rule" in requirements[0]: expected a string.',
  ],
  ['a missing part', { ...report, observations: undefined }, 'Missing key "observations": expected an array.'],
  [
    'a negative number',
    { ...report, summary: { ...report.summary, exchanges: -1 } },
    'summary.exchanges: -1 is not at least 0.',
  ],
  ['an invalid shard', { ...report, run: { ...report.run, shard: 'a' } }, 'run.shard: "a" is not I/N such as 1/4'],
  [
    'an id that is a script',
    { ...report, requirements: [{ ...first, id: '<script>' }] },
    'requirements[0].id: "<script>"',
  ],
])('%s is rejected with the file, the field, its value and what is expected', (_name, content, expected) => {
  const message = refusal(content);
  expect(message).toContain(`"${file}"`);
  expect(message).toContain(expected);
  expect(message).not.toContain('\u001b');
});

test('a missing file is rejected', () => {
  expect(() => readReport(path.join(folder, 'none'))).toThrow(/none" does not exist\. Expected a report or its folder/);
});

const shard = { ...report, run: { ...report.run, shard: '1/2' } };
const record = { run: shard.run, target: shard.target, outcomes: [] };

test('a shard is read with its run record', () => {
  write(shard);
  write(record, 'shard.json');
  expect(readShard(folder)).toEqual(record);
});

test.each<[string, unknown, unknown, string]>([
  ['a whole run', report, record, 'is a whole run'],
  ['a shard.json of another run', shard, { ...record, run: { ...shard.run, id: 'other' } }, 'run.id is "other"'],
  ['an incomplete shard.json', shard, { ...record, outcomes: null }, 'outcomes: null is not an array'],
  ['a truncated shard.json', shard, '{"run":', 'is truncated'],
])('%s is rejected as a shard', (_name, content, own, expected) => {
  write(content);
  write(own, 'shard.json');
  expect(() => readShard(folder)).toThrow(MergeError);
  expect(() => readShard(folder)).toThrow(expected);
});
