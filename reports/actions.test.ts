import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { annotations, writeActionsOutput, writeActionsLeftovers } from './actions.ts';
import { FAILED_RULE, HOSTILE_RULE, sampleReport } from './html/sample-run.ts';
import { leftoversSection, toSummary } from './summary.ts';
import { withoutCommands, workflowCommand } from './workflow-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-actions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const report = sampleReport();

function output(environment: NodeJS.ProcessEnv): string {
  let written = '';
  writeActionsOutput(report, folder, environment, { write: (text) => (written += text) });
  return written;
}

test('a failure is one annotation, whatever text the target sent', () => {
  const hostile = 'x\n::error::injected\r\n%0A::warning::y';
  const requirements = report.requirements.map((result) =>
    result.id === HOSTILE_RULE ? { ...result, rule: hostile, reason: hostile } : result,
  );
  const lines = annotations({ ...report, requirements })
    .join('')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^::error title=[^,:]+::[^\r\n]+$/);
  expect(lines.find((line) => line.includes(FAILED_RULE))).toContain('%0Aexpected: resolution daily%0Aactual: hourly');
});

test('commands are escaped for the runner', () => {
  expect(workflowCommand('error', { title: 'a,b:c%' }, 'x\r\n%y')).toBe('::error title=a%2Cb%3Ac%25::x%0D%0A%25y\n');
});

test('under GitHub Actions, annotations are printed and the summary is appended to the step summary', () => {
  const page = path.join(folder, 'page.md');
  const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
  expect(output(environment)).toContain('::error title=');
  output(environment);
  expect(readFileSync(page, 'utf8')).toBe(toSummary(report, folder).repeat(2));
});

test('leftovers are one annotation and are appended to the step summary', () => {
  const page = path.join(folder, 'left.md');
  const left = ['Not removed: a\n::error::b', 'Not removed: c'];
  let written = '';
  writeActionsLeftovers(
    left,
    { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page },
    { write: (text) => (written += text) },
  );
  expect(written).toMatch(/^::warning title=not removed from the target::Not removed: a[^\n]*Not removed: c\n$/);
  expect(readFileSync(page, 'utf8')).toBe(`\n${leftoversSection({ left })}\n`);
});

test('a step summary that cannot be written is a warning', () => {
  expect(output({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(folder, 'none', 'page.md') })).toContain(
    '::warning title=assay::Could not write the job summary: ENOENT',
  );
});

test('nothing is printed outside GitHub Actions', () => {
  expect(output({})).toBe('');
});

test('the runner executes no commands in untrusted text', () => {
  const hostile = '::add-mask::e\n##[group]x';
  expect(withoutCommands(hostile, {})).toBe(hostile);
  const [first = '', ...rest] = withoutCommands(hostile, { GITHUB_ACTIONS: 'true' }).split('\n');
  const word = /^::stop-commands::([0-9a-f-]{36})$/.exec(first)?.[1];
  expect(rest).toEqual([...hostile.split('\n'), `::${word}::`, '']);
});
