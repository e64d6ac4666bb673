import { expect, test } from 'vitest';
import type { Report } from '../spec/verdicts.ts';
import { sampleReport } from './html/sample-run.ts';
import { commonResponse } from './common-response.ts';
import { pageData } from './html/page-data.ts';
import { styleFor, terminalReport } from './terminal.ts';

const sample = sampleReport();
const address = sample.target.addresses.management ?? '';

/** A report whose first rules failed, each with the response that its actual text describes. */
const failing = (...actuals: string[]): Report => failingWith({}, actuals);

function failingWith(headers: Record<string, string>, actuals: readonly string[]): Report {
  const requirements = sample.requirements.map((result, index) => {
    const actual = actuals[index];
    if (actual === undefined) return { ...result, verdict: 'passed' as const };
    const request = { method: 'GET', url: `${address}/accounts/a/metrics?startTime=x`, headers };
    const counterexample = { input: null, seed: 1, path: '', curl: '', expected: 'status 200', actual, request };
    return { ...result, verdict: 'failed' as const, counterexample };
  });
  return { ...sample, requirements };
}

test('a response that most failures have is named at the end of the terminal output', () => {
  const report = failing(...Array<string>(5).fill('status 500'), 'status 500; "oops"', 'a bucket is missing');
  const sentence = '6 of 7 failures have a response of getAccountMetrics with status 500: fix that first.';
  expect(commonResponse(report)).toBe(sentence);
  const text = terminalReport(report, styleFor({ write: () => true }));
  const end = text.slice(text.lastIndexOf('\n\n'));
  expect(end.replaceAll('\n', ' ')).toContain(sentence);
});

test('refusals of the own credential are one cause, which is printed first, with one example', () => {
  const headers = { Authorization: 'Bearer $SVC_ADMIN_TOKEN' };
  const report = failingWith(headers, ['a bucket is missing', ...Array<string>(6).fill('status 401')]);
  const text = terminalReport(report, styleFor({ write: () => true }));
  const ids = report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  expect(text.match(/^failed \S+/gm)).toEqual([`failed ${ids[1]}`, `failed ${ids[0]}`]);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    '5 more rules failed with status 401 to a credential of the target file',
  );
  const others = failingWith({ Authorization: 'Bearer $SVC_ADMIN_TOKEN-altered' }, Array<string>(6).fill('status 401'));
  expect(terminalReport(others, styleFor({ write: () => true })).match(/^failed \S+/gm)).toHaveLength(6);
});

test.each([
  ['few failures', ['status 500', 'status 500', 'status 500', 'status 500']],
  ['different statuses', ['status 500', 'status 500', 'status 500', 'status 503', 'status 503', 'status 404']],
  ['a successful status', Array<string>(6).fill('status 200')],
])('%s have no shared cause', (_, actuals) => {
  expect(commonResponse(failing(...actuals))).toBeUndefined();
});

test('if most failures refuse the header with the brand, whatever the operation, the brand is named', () => {
  const headers = { Accept: 'application/json', 'X-Svc-Authorization': 'Bearer $SVC_API_KEY' };
  const refused = ['status 401', 'status 401; no message', 'status 403', 'status 401', 'status 200', 'status 200'];
  expect(commonResponse(failingWith(headers, refused))).toBe(
    'In 4 of 6 failures, a credential in X-Svc-Authorization is refused: check brand in the target file first, then the credentials.',
  );
});

test.each([
  ['Authorization is refused', { Authorization: 'Bearer $SVC_API_KEY' }],
  ['both headers are sent', { Authorization: 'Bearer $SVC_API_KEY', 'X-Svc-Authorization': 'Bearer $SVC_API_KEY' }],
])('if %s, the brand is not named', (_, headers) => {
  const sentence = commonResponse(failingWith(headers, Array<string>(6).fill('status 401')));
  expect(sentence).toMatch(/^6 of 6 failures have a response of getAccountMetrics with status 401: fix that first\.$/);
});

test('the page names the first failure with the same response', () => {
  const report = failing('status 500', 'status 200', 'status 500');
  const [first, , third] = report.requirements.map(({ id }) => id);
  const { repeated } = pageData(report, 'out', 0);
  expect(repeated).toEqual({ [third!]: { first, cause: 'the response of getAccountMetrics with status 500' } });
});
