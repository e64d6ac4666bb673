import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { baselineText, UnusableBaseline, readBaseline, removeKnownFindings } from './baseline.ts';
import type { LintedDocument, LintFinding } from './finding.ts';
import { nothingRecognized } from './recognized.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-baseline-'));
const file = path.join(folder, 'baseline.json');
afterAll(() => rmSync(folder, { recursive: true }));

function finding(pointer: string, more: Partial<LintFinding> = {}): LintFinding {
  const start = { line: 1, column: 1 };
  const base = { rule: 'name-length', severity: 'error', message: 'Too long.', source: '/docs/api.yaml' } as const;
  return { ...base, pointer, start, end: start, requirements: [], ...more };
}
const linted = (...findings: LintFinding[]): LintedDocument => ({
  document: '/docs/api.yaml',
  isLinted: true,
  rules: [],
  recognized: nothingRecognized,
  findings,
  coverage: [],
  operations: {},
});

/** What is left of the second when the first is the baseline. */
function left(before: LintedDocument, after: LintedDocument) {
  writeFileSync(file, baselineText([before]));
  const { documents, known, stale } = removeKnownFindings([after], readBaseline(file));
  return { fresh: documents.flatMap(({ findings }) => findings), known, stale };
}

test('known findings are omitted, even if their line changed', () => {
  const after = linted(finding('/a', { start: { line: 99, column: 3 } }), finding('/b'));
  expect(left(linted(finding('/a')), after)).toEqual({ fresh: [finding('/b')], known: 1, stale: [] });
});

test('an element that moved within a list is the same finding', () => {
  expect(left(linted(finding('/parameters/3/schema')), linted(finding('/parameters/4/schema'))).fresh).toEqual([]);
});

test('an entry matches one finding', () => {
  const after = linted(finding('/parameters/3'), finding('/parameters/4'));
  expect(left(linted(finding('/parameters/3')), after)).toMatchObject({ fresh: [finding('/parameters/4')], known: 1 });
});

test.each([
  ['another rule', finding('/a', { rule: 'name-unique' })],
  ['another message', finding('/a', { message: 'Too short.' })],
  ['another file', finding('/a', { source: '/docs/parts.yaml' })],
])('%s is new', (_what, other) => {
  expect(left(linted(finding('/a')), linted(other)).fresh).toEqual([other]);
});

test('an entry that no longer matches is reported', () => {
  const { fresh, known, stale } = left(linted(finding('/a'), finding('/b')), linted(finding('/b')));
  expect({ fresh, known, stale }).toEqual({
    fresh: [],
    known: 1,
    stale: [{ rule: 'name-length', at: '#/a', message: 'Too long.' }],
  });
});

test('an unreadable document is never known, and no finding counts as fixed', () => {
  const broken = finding('', { rule: 'parser' });
  expect(left(linted(broken), linted(broken)).fresh).toEqual([broken]);
  expect(left(linted(finding('/a')), linted(broken)).stale).toEqual([]);
});

test('a baseline holds good in another folder', () => {
  const moved = { ...linted(finding('/a', { source: '/else/parts.yaml' })), document: '/else/api.yaml' };
  expect(left(linted(finding('/a', { source: '/docs/parts.yaml' })), moved).fresh).toEqual([]);
});

test('a baseline does not depend on the order of the findings', () => {
  const [one, two] = [finding('/a'), finding('/b')];
  expect(baselineText([linted(one, two)])).toBe(baselineText([linted(two, one)]));
});

test.each(['', '[]', '{}', '{"baseline": 2, "findings": []}', '{"baseline": 1, "findings": [{"rule": "a"}]}', 'null'])(
  '%j is no baseline',
  (text) => {
    writeFileSync(file, text);
    expect(() => readBaseline(file)).toThrow(UnusableBaseline);
    expect(() => readBaseline(file)).toThrow(/: It is not (a baseline|JSON)/);
  },
);
