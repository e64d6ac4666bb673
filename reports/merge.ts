/** Merges the records of a run's shards into one, from which the report of the whole run is built. */
import type { RunFacts } from '../spec/verdicts.ts';
import type { RunRecord } from './report.ts';

/** Thrown if the shards do not belong to one run; the message says why. */
export class MergeError extends Error {}

/** Shards may be in any order. Throws a MergeError unless they are all shards of one run, each exactly once. */
export function mergeShards(shards: readonly RunRecord[]): RunRecord {
  const [first] = shards;
  if (first === undefined) throw new MergeError('No shards to merge.');
  for (const shard of shards) requireSameRun(first, shard);
  const sorted = shards.toSorted((a, b) => shardOf(a.run).index - shardOf(b.run).index);
  requireEveryShardOnce(sorted);
  const { shardRules: _, ...sharedFields } = first;
  return {
    ...sharedFields,
    run: mergedRun(sorted.map(({ run }) => run)),
    outcomes: sorted.flatMap(({ outcomes }) => outcomes),
    left: sorted.flatMap(({ left = [] }) => left),
  };
}

/** Fields that must be equal in all shards of a run. */
const sharedFields: readonly (readonly [what: string, of: (record: RunRecord) => unknown])[] = [
  ['seed', ({ run }) => run.seed],
  ['number of inputs per property (--runs)', ({ run }) => run.runs],
  ['target', ({ target }) => target],
  ['version of assay', ({ run }) => run.assay],
  ['number of shards', ({ run }) => shardOf(run).count],
  ['selection of rules (--only, --skip)', ({ selected }) => selected],
  ['list of known failures', ({ knownFailures }) => knownFailures],
  ['list of operations', ({ run }) => run.operations],
  ['version of the rules (--rules-as-of)', ({ run }) => run.rulesAsOf],
  ['strictness', ({ run }) => run.strict],
  ['oracle (--oracle)', ({ oracle }) => oracle],
];

function requireSameRun(one: RunRecord, other: RunRecord): void {
  const differing = sharedFields.find(([, of]) => JSON.stringify(of(one)) !== JSON.stringify(of(other)));
  if (differing === undefined) return;
  const [what, of] = differing;
  const values = [one, other].map((record) => `${record.run.id} has ${JSON.stringify(of(record)) ?? 'none'}`);
  throw new MergeError(`The shards are not from the same run, because the ${what} differs: ${values.join(', ')}.`);
}

function requireEveryShardOnce(sorted: readonly RunRecord[]): void {
  const { count } = shardOf((sorted[0] as RunRecord).run);
  const indexes = sorted.map(({ run }) => shardOf(run).index);
  const duplicate = indexes.find((index, place) => indexes.indexOf(index) !== place);
  if (duplicate !== undefined) throw new MergeError(`Shard ${duplicate}/${count} appears twice.`);
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !indexes.includes(index));
  if (missing.length > 0)
    throw new MergeError(`Missing: ${missing.map((index) => `shard ${index}/${count}`).join(', ')}.`);
}

function shardOf({ shard, id }: RunFacts): { index: number; count: number } {
  const [index, count] = (shard ?? '').split('/').map(Number);
  if (index === undefined || count === undefined) throw new MergeError(`Run ${id} is a whole run, not a shard.`);
  return { index, count };
}

function mergedRun(runs: readonly RunFacts[]): RunFacts {
  const [first] = runs as [RunFacts];
  const warnings = [...new Set(runs.flatMap((run) => run.warnings ?? []))];
  return {
    ...first,
    ...(warnings.length > 0 && { warnings }),
    id: runs.map(({ id }) => id).join('+'),
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    endedAt:
      runs
        .map(({ endedAt }) => endedAt)
        .toSorted()
        .at(-1) ?? first.endedAt,
    shard: null,
    complete: runs.every(({ complete }) => complete),
    stoppedBy:
      (['time', 'bail', 'quick'] as const).find((each) => runs.some(({ stoppedBy }) => stoppedBy === each)) ?? null,
  };
}
