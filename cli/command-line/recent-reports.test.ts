import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleReport } from '../../reports/html/sample-run.ts';
import type { Report } from '../../spec/verdicts.ts';
import { latestReportOf } from './recent-reports.ts';

const sample = sampleReport();

/** The run of the latest report of the sample's target, if these are written to a folder, and another target is tested later. */
function latestOf(report: unknown): string | undefined {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'report');
  mkdirSync(folder);
  const file = path.join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  utimesSync(file, new Date('2100-01-01'), new Date('2100-01-01'));
  return latestReportOf(sample.target, folder)?.report.run.id;
}

const untried = sample.requirements.map((each) => ({ ...each, verdict: 'not-tried' as const }));
const interrupted: Report = { ...sample, run: { ...sample.run, complete: false } };

test.each<[string, unknown, string | undefined]>([
  ['a run of the target', sample, sample.run.id],
  ['one of another target', { ...sample, target: { ...sample.target, name: 'other' } }, undefined],
  ['one that was interrupted', interrupted, sample.run.id],
  ['one that was interrupted before the first verdict', { ...interrupted, requirements: untried }, undefined],
  ['no report', null, undefined],
  ['an invalid report', { ...sample, summary: 1 }, undefined],
])('the latest report of a target may be that of %s', (_, report, id) => {
  expect(latestOf(report)).toBe(id);
});
