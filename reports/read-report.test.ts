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
  ['another form', { ...report, report: 2 }, 'report is 2. Allowed: 1, the form that this assay reads.'],
  ['something else', { a: 1 }, 'report is missing. Allowed: 1'],
  ['null', null, 'report is missing. Allowed: 1'],
  ['a list', [], 'report is missing'],
  ['nothing', '', 'is no JSON, or was cut short'],
  ['a text that was cut short', JSON.stringify(report).slice(0, 5000), 'is no JSON, or was cut short'],
  ['terminal escapes', '\u001b[2J', String.raw`\u001b[2J`],
  [
    'a verdict that there is not',
    { ...report, requirements: [first, { ...first, verdict: 'green\u001b' }, ...rest] },
    String.raw`requirements[1].verdict is "green\u001b". Allowed: "passed", "failed", "known-failure"`,
  ],
  [
    'a field that is missing',
    { ...report, requirements: [ruleless, ...rest] },
    'requirements[0].rule is missing. Allowed: a value of type string.',
  ],
  [
    'a missing part',
    { ...report, observations: undefined },
    'observations is missing. Allowed: a value of type array.',
  ],
  [
    'a negative number',
    { ...report, summary: { ...report.summary, exchanges: -1 } },
    'summary.exchanges is -1. Allowed: 0 or more.',
  ],
  [
    'a shard of another form',
    { ...report, run: { ...report.run, shard: 'a' } },
    'run.shard is "a". Allowed: I/N, as 1/4',
  ],
  [
    'an id that is a script',
    { ...report, requirements: [{ ...first, id: '<script>' }] },
    'requirements[0].id is "<script>"',
  ],
])('%s is refused, with the file, the place, what stands there and what is allowed', (_name, content, said) => {
  const message = refusal(content);
  expect(message).toContain(`"${file}"`);
  expect(message).toContain(said);
  expect(message).not.toContain('\u001b');
});

test('a missing file is refused', () => {
  expect(() => readReport(path.join(folder, 'none'))).toThrow(
    /none" cannot be read: ENOENT.* Wanted: a report or its folder/,
  );
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
  [
    'a shard.json that lacks a part',
    shard,
    { ...record, outcomes: null },
    'outcomes is null. Allowed: a value of type array',
  ],
  ['a shard.json that was cut short', shard, '{"run":', 'was cut short'],
])('%s is refused as a shard', (_name, content, own, said) => {
  write(content);
  write(own, 'shard.json');
  expect(() => readShard(folder)).toThrow(MergeError);
  expect(() => readShard(folder)).toThrow(said);
});
