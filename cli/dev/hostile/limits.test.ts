import { expect, test } from 'vitest';
import type { CampaignResult, KindResult } from './campaign.ts';
import { brokenLimits, HEAP_TOLERANCE_BYTES, MAX_P99_MS, resultTable } from './limits.ts';

const memory = { heapBytes: 50_000_000, rssBytes: 300_000_000, peakRssBytes: 300_000_000, blockedMs: 10 };
const result: KindResult = {
  name: 'operations',
  tally: { requests: 100, documented503: 2, closed: 1, serverErrors: new Map(), hangs: new Map(), violations: [] },
  probe: { count: 50, failed: 0, p50Ms: 1, p99Ms: MAX_P99_MS, maxMs: 500, ownDelayMs: 1 },
  before: memory,
  after: { ...memory, heapBytes: memory.heapBytes + HEAP_TOLERANCE_BYTES },
  log: '',
};
const run = (changes: Partial<KindResult>): CampaignResult => ({
  results: [{ ...result, ...changes }],
  plateau: memory,
  violations: [],
});

test('a run at its limits exceeds none', () => {
  expect(brokenLimits(run({}), MAX_P99_MS)).toEqual([]);
  expect(resultTable(run({}))).toContain('| operations | 100 | 0 | 2 | 0 | 1 | 1.0 | 250.0 | 500 | 1 |');
});

const { tally, probe, after } = result;

test.each<[Partial<KindResult>, string]>([
  [{ tally: { ...tally, serverErrors: new Map([['getAgent', 3]]) } }, 'server errors of getAgent (3)'],
  [{ tally: { ...tally, hangs: new Map([['getAgent', 1]]) } }, 'no response to getAgent (1)'],
  [{ log: 'TypeError: x' }, 'the mock logged errors:\nTypeError: x'],
  [{ probe: { ...probe, failed: 1 } }, '1 requests of the second client failed'],
  [{ probe: { ...probe, p99Ms: 251 } }, 'p99 of the second client is 251 ms, more than 250 ms'],
  [{ after: { ...after, heapBytes: after.heapBytes + 1 } }, 'MiB of heap after it'],
])('%j exceeds one', (changes, sentence) => {
  expect(brokenLimits(run(changes), MAX_P99_MS)).toEqual([expect.stringContaining(sentence)]);
});
