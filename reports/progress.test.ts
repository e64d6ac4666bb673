import { afterEach, expect, test, vi } from 'vitest';
import type { RequirementId } from '../spec/requirements/index.ts';
import { createProgress } from './progress.ts';
import { SCHEMA_RULE } from './report.ts';

afterEach(() => void vi.useRealTimers());

const MUST: RequirementId = 'metrics.group-by.at-most-three';

/** What is written if two rules of metrics and one of vpcs are done. */
function progressOf(isTTY: boolean, columns = 80): string {
  let written = '';
  const ids: readonly RequirementId[] = [MUST, 'vpcs.create.answers-resource', 'metrics.group-by.no-duplicates'];
  const progress = createProgress({ isTTY, columns, write: (text) => (written += text) }, () => [...ids, SCHEMA_RULE]);
  for (const [index, id] of ids.entries()) {
    progress.began(id);
    progress.done({ id, verdict: index === 0 ? 'known-failure' : 'passed', exchanges: 2 });
  }
  progress.done({ id: SCHEMA_RULE, verdict: 'not-tried', exchanges: 0 });
  progress.end();
  return written.replaceAll(/\d+\/s/g, 'N/s');
}

test('without a terminal, progress is one line per area, when its last rule is done', () => {
  expect(progressOf(false)).toBe(
    [
      'vpcs: 1 passed (2/4 rules · 4 exchanges · N/s)',
      'metrics: 1 passed, 1 known failure (3/4 rules · 6 exchanges · N/s)',
      'resources: 1 not tried (4/4 rules · 6 exchanges · N/s)',
      '',
    ].join('\n'),
  );
});

test('areas that are not done are printed at the end', () => {
  let written = '';
  const progress = createProgress({ write: (text) => (written += text) }, () => [
    MUST,
    'metrics.sums.total-is-sum-of-groups',
  ]);
  progress.done({ id: MUST, verdict: 'passed', exchanges: 1 });
  expect(written).toBe('');
  progress.end();
  expect(written).toContain('metrics: 1 passed (1/2 rules');
});

test('without a terminal, half a minute without another line prints what the cases have done so far', () => {
  vi.useFakeTimers();
  let written = '';
  const out = (isTTY: boolean) => ({ isTTY, write: (text: string) => (written += text) });
  const progress = createProgress(out(false), () => [MUST, SCHEMA_RULE, 'vpcs.create.answers-resource']);
  const onTerminal = createProgress(out(true), () => [MUST]);
  const linesAfter = (seconds: number): string => {
    written = '';
    vi.advanceTimersByTime(seconds * 1000);
    return written;
  };
  expect(linesAfter(29)).toBe('');
  expect(linesAfter(1)).toBe('30 s: 0 requests, 0 of 3 rules tested, 0 failed\n');
  const failing = (['known-failure', 'observed'] as const).map((verdict) => ({ id: MUST, verdict }));
  progress.update({ requestCount: 3214, testedCount: 2, failing });
  expect(linesAfter(30)).toBe('60 s: 3,214 requests, 2 of 3 rules tested, 0 failed, 1 known failure\n');
  progress.done({ id: 'vpcs.create.answers-resource', verdict: 'passed', exchanges: 3214 });
  expect(linesAfter(30)).toBe('');
  progress.update({ requestCount: 1, testedCount: 3, failing: [{ id: MUST, verdict: 'failed' }] });
  expect(linesAfter(30)).toBe('120 s: 1 request, 3 of 3 rules tested, 1 failed\n');
  for (const each of [progress, onTerminal]) each.end();
  expect(linesAfter(60)).toBe('');
});

test('on a terminal, progress is one updated line with the failures so far and the current rule', () => {
  expect(progressOf(true, 120).split('\r\u001b[2K')).toEqual([
    '',
    '0/4 rules · 0 exchanges · N/s · metrics.group-by.at-most-three',
    '1/4 rules · 2 exchanges · N/s · 1 known failure · vpcs.create.answers-resource',
    '2/4 rules · 4 exchanges · N/s · 1 known failure · metrics.group-by.no-duplicates',
    '',
  ]);
  expect(
    Math.max(
      ...progressOf(true, 20)
        .split('\r\u001b[2K')
        .map(({ length }) => length),
    ),
  ).toBeLessThan(22);
});
