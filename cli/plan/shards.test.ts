import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import { measuredRun } from './measured-requests.ts';
import { requestCount } from './request-counts.ts';
import { rulesOfShard } from './shards.ts';

test.each([1, 2, 3, 8])('%i shards have all rules, each once, and about as many requests', (count) => {
  const shards = Array.from({ length: count }, (_, at) => rulesOfShard({ index: at + 1, count }));
  expect(shards.flat().toSorted()).toEqual(requirements.map(({ id }) => id).toSorted());
  const sizeOf = (id: RequirementId): number => {
    const { first = {}, later = {} } = measuredRun.rules[id] ?? {};
    return requestCount(first) + requestCount(later);
  };
  const sizes = shards.map((ids) => ids.reduce((sum, id) => sum + sizeOf(id), 0));
  expect(Math.max(...sizes)).toBeLessThan(2 * Math.max(1, Math.min(...sizes)));
});

test('the rules of a suite file are in one shard', () => {
  const files = [1, 2, 3].map((index) => new Set(rulesOfShard({ index, count: 3 }).map(suiteFileOf)));
  expect(files[0]!.intersection(files[1]!).union(files[1]!.intersection(files[2]!))).toEqual(new Set());
});

test('with more shards than suite files, some have no rules', () => {
  expect(rulesOfShard({ index: 300, count: 300 })).toEqual([]);
});
