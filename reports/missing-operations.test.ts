import { expect, test } from 'vitest';
import { missingOperation, NOT_DECLARED } from '../spec/missing-operation.ts';
import { operations as allOperations } from '../spec/operations.ts';
import type { Report } from '../spec/verdicts.ts';
import { annotations } from './actions.ts';
import { toBadge } from './badge.ts';
import { causesOf, exitCodeOf } from './failure-causes.ts';
import { pageData } from './html/page-data.ts';
import { sampleReport } from './html/sample-run.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';
import { styleFor, terminalReport } from './terminal.ts';
import { unmetNeeds } from './unmet-needs.ts';

const sample = sampleReport();
const route = 'POST /vpcs';
const operationCount = allOperations.filter(({ documented }) => documented).length;
const reason = `waits for ${route}, which is not implemented (404)`;
const counterexample = {
  input: {},
  seed: 1,
  path: '',
  curl: 'curl -sS x',
  expected: 'a response',
  actual: 'status 404',
};

/** A report in which nothing failed, but so many rules wait for an operation. */
function waiting(count: number): Report {
  const requirements = sample.requirements.map((result, index) => {
    const { counterexample: _, reason: __, missing: ___, ...ofSample } = result;
    const rest = { ...ofSample, level: 'must' as const };
    if (index >= count) return { ...rest, verdict: 'passed' as const };
    return { ...rest, verdict: 'not-tried' as const, missing: missingOperation(route), reason, counterexample };
  });
  const { oracle: _, knownFailures: __, ...report } = sample;
  return { ...report, requirements };
}

const print = (report: Report): string => terminalReport(report, styleFor({ write: () => true }), { folder: 'out/r' });
const report = waiting(50);
const sentence = `${route} is not implemented (404): 50 rules wait for it`;

test('an operation that is not implemented is one finding, which fails the run', () => {
  expect(causesOf(report)).toEqual([{ kind: 'not-implemented', code: 1, findings: [{ route, message: sentence }] }]);
  expect(exitCodeOf(report)).toBe(1);
  expect(causesOf(waiting(1))[0]?.findings[0]?.message).toBe(`${route} is not implemented (404): 1 rule waits for it`);
  expect(exitCodeOf(waiting(0))).toBe(0);
  expect(unmetNeeds(report)).toEqual([]);
  expect(causesOf({ ...report, run: { ...report.run, strict: true } })).toHaveLength(1);
});

test('every format names it once', () => {
  for (const text of [print(report), toSummary(report, 'out/r'), annotations(report).join('')])
    expect(text.replaceAll(/\n +/g, ' ').split(sentence)).toHaveLength(2);
  expect(pageData(report, 'out/r', 0).problems).toEqual([sentence]);
  expect(toJunit(report, 'out/r')).toMatch(
    /<testcase classname="operations" name="POST \/vpcs"[^>]*>\s*<failure message="POST \/vpcs is not implemented/,
  );
  expect(toBadge(report)).toContain('1 operation missing');
});

test('50 rules that wait for one operation take at most 20 lines', () => {
  expect(print(report).split('\n').length).toBeLessThanOrEqual(20);
});

test('of several operations, the terminal shows a request of the first, and the names of five', () => {
  const routes = ['POST /vpcs', 'POST /functions', 'PUT /a', 'PUT /b', 'PUT /c', 'PUT /d', 'PUT /e'];
  const requirements = report.requirements.map((result, index) =>
    result.verdict === 'passed' || index < 10
      ? result
      : { ...result, missing: missingOperation(routes[index % routes.length]!), counterexample },
  );
  const text = print({ ...report, requirements });
  expect(text.split('curl -sS x')).toHaveLength(2);
  expect(text.match(/^failed /gm)).toHaveLength(5);
  expect(text).toContain('failed POST /vpcs is not implemented (404): ');
  expect(text).toContain('  and 2 more, in the report\n');
  expect(text).toContain('7 operations not implemented');
});

test('failures with one response are printed in full once', () => {
  const request = { method: 'GET', url: `${sample.target.addresses.management}/accounts`, headers: {} };
  const failing = { ...counterexample, actual: 'status 500', curl: 'curl -sS y', request };
  const requirements = waiting(0).requirements.map((result, index) =>
    index < 30 ? { ...result, verdict: 'failed' as const, reason: 'status 500', counterexample: failing } : result,
  );
  const failed = { ...report, requirements };
  for (const text of [print(failed), toSummary(failed, 'out/r'), toJunit(failed, 'out/r')])
    expect(text.split('curl -sS y')).toHaveLength(2);
  expect(print(failed)).toContain('29 more rules failed with the response of listAccounts with status 500');
  const refused = { ...failing, actual: 'status 400' };
  const each = requirements.map((result) =>
    result.verdict === 'failed' ? { ...result, counterexample: refused } : result,
  );
  expect(print({ ...report, requirements: each }).split('curl -sS y')).toHaveLength(31);
});

test('rules of one known failure are printed together, those that have their own are not', () => {
  const base = waiting(0);
  const [alone, ...others] = base.requirements.filter(({ id }) => id.startsWith('metrics.')).map(({ id }) => id);
  const requirements = base.requirements.map((result) =>
    result.id.startsWith('metrics.') ? { ...result, verdict: 'known-failure' as const } : result,
  );
  const knownFailures = [
    { id: alone!, reason: 'a defect', state: 'failed' as const },
    { id: 'metrics.*', reason: 'later', ticket: 'T-1', state: 'failed' as const, rules: [alone!, ...others] },
  ];
  const text = print({ ...base, requirements, knownFailures }).replaceAll(/\s+/g, ' ');
  const together = `metrics.*: later, T-1 (${others.length} rules) ${others.slice(0, 3).join(', ')}, and ${others.length - 3} more `;
  expect(text).toContain(`known failures ${alone}: a defect ${together}`);
});

test('rules of operations that the target is declared not to have are one line', () => {
  const base = waiting(0);
  const requirements = base.requirements.map((result) =>
    result.id.startsWith('metrics.') ? { ...result, verdict: 'not-tried' as const, reason: NOT_DECLARED } : result,
  );
  const operations = ['createVpc', 'updateAgent'];
  const declared = { ...base, requirements, run: { ...base.run, operations, strict: true as const } };
  const count = requirements.filter(({ reason: own }) => own === NOT_DECLARED).length;
  const line = `not implemented: ${operationCount - 2} operations, ${count} rules`;
  for (const text of [print(declared), toSummary(declared, 'out/r')]) expect(text.split(line)).toHaveLength(2);
  const chosen = { ...declared, run: { ...declared.run, chosenOperations: true as const } };
  expect(print(chosen)).toContain(line.replace('implemented', 'selected'));
  expect(print(chosen)).not.toContain('not implemented:');
  expect(exitCodeOf(declared)).toBe(0);
  expect(unmetNeeds(declared)).toEqual([]);
  expect(toJunit(declared, 'out/r')).not.toContain('classname="metrics"');
});
