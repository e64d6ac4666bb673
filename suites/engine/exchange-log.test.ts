import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { ExchangeRecord, Verdict } from '../../spec/verdicts.ts';
import { createRedaction } from '../target/redaction.ts';
import { testExchange } from '../testing/test-run.ts';
import { openExchangeLog, type ExchangesKept } from './exchange-log.ts';

const [one, other] = [requirement('metrics.group-by.at-most-three'), requirement('metrics.enums.group-by-values')];
const misfit = {
  ...testExchange,
  shape: [{ at: '/name', says: 'must be a string', found: 'number', allowed: 'string', keyword: 'type' }],
};

/** Logs five exchanges of each of two rules, in turn, the first with a finding; returns the numbers that were written. */
function written(kept: ExchangesKept, verdicts?: readonly [Verdict, Verdict]): number[] {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const log = openExchangeLog(file, createRedaction(), kept);
  for (let number = 1; number <= 10; number++)
    log.record(number === 1 ? misfit : testExchange, number, number % 2 === 1 ? one : other);
  if (verdicts !== undefined) [one, other].forEach((rule, index) => log.endCase(rule, verdicts[index] ?? 'error'));
  log.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as ExchangeRecord).number);
}

test('all exchanges are written in the order of the requests', () => {
  expect(written('all', ['passed', 'failed'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('of rules that did not fail, the last three and those with findings are written', () => {
  expect(written('failures', ['passed', 'observed'])).toEqual([1, 5, 7, 9, 6, 8, 10]);
});

test.each(['failed', 'error'] as const)('of a rule with the verdict %s, all are written', (verdict) => {
  expect(written('failures', ['not-tried', verdict])).toEqual([1, 5, 7, 9, 2, 4, 6, 8, 10]);
});

test('of a case that was interrupted, all are written', () => {
  expect(written('failures')).toEqual([1, 3, 5, 7, 9, 2, 4, 6, 8, 10]);
});

test('without any exchanges, no file is left', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const log = openExchangeLog(file, createRedaction(), 'none');
  log.record(testExchange, 1, one);
  expect(readFileSync(file, 'utf8')).toBe('');
  log.endCase(one, 'failed');
  log.close();
  expect(existsSync(file)).toBe(false);
});

test.each([
  ['failed', [1, 1]],
  ['passed', [1]],
] as const)('the exchange of another rule is evidence of a rule with the verdict %s', (verdict, numbers) => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const log = openExchangeLog(file, createRedaction(), 'failures');
  log.record(testExchange, 1, one);
  log.reuse(testExchange, other);
  log.endCase(one, 'passed');
  log.endCase(other, verdict);
  log.close();
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExchangeRecord);
  expect(records.map(({ number }) => number)).toEqual(numbers);
  expect(records.at(-1)?.requirement).toBe(verdict === 'failed' ? other.id : one.id);
});
