import { expect, test } from 'vitest';
import type { Report } from '../spec/verdicts.ts';
import { sampleReport } from './html/sample-run.ts';
import { commonResponse } from './common-response.ts';
import { styleFor, terminalReport } from './terminal.ts';

const sample = sampleReport();
const address = sample.target.addresses.management ?? '';

/** A report whose first rules failed, each with the response that its actual text describes. */
function failing(...actuals: string[]): Report {
  const requirements = sample.requirements.map((result, index) => {
    const actual = actuals[index];
    if (actual === undefined) return { ...result, verdict: 'passed' as const };
    const request = { method: 'GET', url: `${address}/accounts/a/metrics?startTime=x`, headers: {} };
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

test.each([
  ['few failures', ['status 500', 'status 500', 'status 500', 'status 500']],
  ['different statuses', ['status 500', 'status 500', 'status 500', 'status 503', 'status 503', 'status 404']],
  ['a successful status', Array<string>(6).fill('status 200')],
])('%s have no shared cause', (_, actuals) => {
  expect(commonResponse(failing(...actuals))).toBeUndefined();
});
