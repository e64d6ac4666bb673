/** Divides the rules of a run into parts that send about as many requests. */
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import type { Shard } from '../command-line/test-flags.ts';
import { measuredRun } from './measured-requests.ts';
import { requestCount } from './request-counts.ts';

/**
 * The rules of one part. Those of a suite file stay together, because they use the same shared resources. The same on every
 * machine and for every target.
 */
export function rulesOfShard({ index, count }: Shard): RequirementId[] {
  const files = Map.groupBy(requirements, ({ id }) => suiteFileOf(id));
  const largestFirst = [...files.values()]
    .map((rules) => ({ rules, size: sum(rules.map(({ id }) => sizeOf(id))) }))
    .toSorted((one, other) => other.size - one.size);
  const parts = Array.from({ length: count }, () => ({ ids: [] as RequirementId[], size: 0 }));
  for (const { rules, size } of largestFirst) {
    const smallest = parts.reduce((one, other) => (other.size < one.size ? other : one));
    smallest.ids.push(...rules.map(({ id }) => id));
    smallest.size += size;
  }
  return parts[index - 1]!.ids;
}

function sizeOf(id: RequirementId): number {
  const measured = measuredRun.rules[id];
  return measured === undefined ? 0 : requestCount(measured.first) + requestCount(measured.later);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
