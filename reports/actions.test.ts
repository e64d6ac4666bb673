import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { annotations, writeActionsOutput, writeActionsLeftovers } from './actions.ts';
import { requirements as allRequirements } from '../spec/requirements/index.ts';
import { FAILED_RULE, HOSTILE_RULE, sampleReport } from './html/sample-run.ts';
import { leftoversSection, toSummary } from './summary.ts';
import { withoutCommands, workflowCommand } from './workflow-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-actions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const report = sampleReport();
const requirementIds = allRequirements.map(({ id }) => id);

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

/** A report in which so many rules failed, each for its own reason. */
const failed = (count: number, reason = (index: number) => `Reason ${index}.`): typeof report => ({
  ...report,
  requirements: requirementIds.slice(0, count).map((id, index) => ({
    id,
    level: 'must',
    rule: 'A rule.',
    verdict: 'error',
    reason: reason(index),
    durationMs: 1,
    exchanges: 1,
  })),
});
const commandsOf = (each: typeof report) =>
  annotations(each)
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('::error '));

test('GitHub shows ten annotations of a level, so the tenth counts the others, which are in the log', () => {
  const commands = commandsOf(failed(14));
  expect(commands).toHaveLength(10);
  expect(commands.at(-1)).toMatch(/^::error title=and \d more::\d more errors in the log of this step/);
  expect(annotations(failed(14)).join('')).toContain(`  error ${requirementIds[13]}: A rule. Reason 13.\n`);
  expect(commandsOf(failed(3)).at(-1)).toContain('Reason 2.');
});

test('rules that fail for one reason are one annotation, before the others', () => {
  const commands = commandsOf(failed(14, (index) => (index === 0 ? 'Alone.' : 'No connection.')));
  const [first, second] = commands.filter((line) => line.includes('A rule.'));
  expect(first).toContain(`title=error ${requirementIds[1]} and 12 more rules::`);
  expect(first).toContain(`also: ${requirementIds[2]}, ${requirementIds[3]}`);
  expect(second).toContain('Alone.');
});

test('failures with one response of one operation are one annotation, which comes after what most have in common', () => {
  const request = { method: 'GET', url: `${report.target.addresses.management}/accounts`, headers: {}, body: null };
  const counterexample = {
    input: {},
    seed: 1,
    path: '',
    curl: '',
    expected: 'status 200',
    actual: 'status 500',
    request,
  };
  const requirements = failed(6).requirements.map((each) => ({ ...each, verdict: 'failed', counterexample }));
  const commands = commandsOf({ ...report, requirements } as unknown as typeof report);
  expect(commands.filter((line) => line.includes('and 5 more rules'))).toHaveLength(1);
  expect(commands.findIndex((line) => line.includes('fix that first'))).toBeLessThan(
    commands.findIndex((line) => line.includes('and 5 more rules')),
  );
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
