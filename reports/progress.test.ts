import { afterEach, expect, test, vi } from 'vitest';
import { showProgress } from './progress.ts';
import type { RunProgress } from './progress.ts';
import { SCHEMA_RULE } from './report.ts';

afterEach(() => void vi.useRealTimers());

/** Returns what is written in so many seconds, and ends the progress. */
function startProgress(terminal: { isTTY: boolean; columns?: number }) {
  vi.useFakeTimers();
  let written = '';
  let latest: RunProgress = { requestCount: 0, testedCount: 0, failing: [] };
  const progress = showProgress({ ...terminal, write: (text) => (written += text) }, 3, () => latest);
  return {
    end: () => progress.end(),
    writtenIn: (seconds: number, next = latest): string => {
      [written, latest] = ['', next];
      vi.advanceTimersByTime(seconds * 1000);
      return written;
    },
  };
}

test('without a terminal, every half minute a line says what the cases have done so far', () => {
  const { end, writtenIn } = startProgress({ isTTY: false });
  expect(writtenIn(29)).toBe('');
  expect(writtenIn(1)).toBe('30 s: 0 requests, 0 of 3 rules tested, 0 failed\n');
  const failing = (['known-failure', 'observed'] as const).map((verdict) => ({ id: SCHEMA_RULE, verdict }) as const);
  const known = { requestCount: 3214, testedCount: 2, failing };
  expect(writtenIn(30, known)).toBe('60 s: 3,214 requests, 2 of 3 rules tested, 0 failed, 1 known failure\n');
  const failed = { requestCount: 1, testedCount: 3, failing: [{ id: SCHEMA_RULE, verdict: 'failed' }] } as const;
  expect(writtenIn(30, failed)).toBe('90 s: 1 request, 3 of 3 rules tested, 1 failed\n');
  end();
  expect(writtenIn(60)).toBe('');
});

test('on a terminal, it is one updated line that fits', () => {
  const { end, writtenIn } = startProgress({ isTTY: true, columns: 20 });
  expect(writtenIn(2)).toBe('\r\u001b[2K1 s: 0 requests, 0 \r\u001b[2K2 s: 0 requests, 0 ');
  writtenIn(0);
  end();
  expect(writtenIn(60)).toBe('');
});
