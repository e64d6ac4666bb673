/** Makes one run of its shards, so that it is judged as if it had never been cut up. */
import type { RunFacts } from '../spec/verdicts.ts';
import type { RunRecord } from './report.ts';

/** The shards do not belong together; the message says why. */
export class MergeRefused extends Error {}

/** Any order. Throws MergeRefused unless they are all shards of one run, each of them once. */
export function mergeShards(shards: readonly RunRecord[]): RunRecord {
  const [first] = shards;
  if (first === undefined) throw new MergeRefused('There is no shard to merge.');
  for (const shard of shards) requireSameRun(first, shard);
  const inOrder = shards.toSorted((a, b) => placeOf(a.run).index - placeOf(b.run).index);
  requireEachOnce(inOrder);
  const { ofShard: _, ...common } = first;
  return {
    ...common,
    run: mergedRun(inOrder.map(({ run }) => run)),
    outcomes: inOrder.flatMap(({ outcomes }) => outcomes),
    troubles: Object.assign({}, ...inOrder.map(({ troubles }) => troubles)) as Record<string, string>,
    left: inOrder.flatMap(({ left = [] }) => left),
  };
}

/** What all shards of a run have in common. */
const common: readonly (readonly [what: string, of: (record: RunRecord) => unknown])[] = [
  ['seed', ({ run }) => run.seed],
  ['number of inputs per property (--runs)', ({ run }) => run.runs],
  ['target', ({ target }) => target],
  ['version of assay', ({ run }) => run.assay],
  ['number of shards', ({ run }) => placeOf(run).count],
  ['selection of rules (--only, --skip)', ({ selected }) => selected],
  ['list of known failures', ({ knownFailures }) => knownFailures],
  ['strictness', ({ run }) => run.strict],
  ['oracle (--oracle)', ({ oracle }) => oracle],
];

function requireSameRun(one: RunRecord, other: RunRecord): void {
  const differing = common.find(([, of]) => JSON.stringify(of(one)) !== JSON.stringify(of(other)));
  if (differing === undefined) return;
  const [what, of] = differing;
  const said = [one, other].map((record) => `${record.run.id} has ${JSON.stringify(of(record)) ?? 'none'}`);
  throw new MergeRefused(`The shards are not of one run, for the ${what} differs: ${said.join(', ')}.`);
}

function requireEachOnce(inOrder: readonly RunRecord[]): void {
  const { count } = placeOf((inOrder[0] as RunRecord).run);
  const indexes = inOrder.map(({ run }) => placeOf(run).index);
  const twice = indexes.find((index, place) => indexes.indexOf(index) !== place);
  if (twice !== undefined) throw new MergeRefused(`Shard ${twice}/${count} is there twice.`);
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !indexes.includes(index));
  if (missing.length > 0)
    throw new MergeRefused(`Missing: ${missing.map((index) => `shard ${index}/${count}`).join(', ')}.`);
}

function placeOf({ shard, id }: RunFacts): { index: number; count: number } {
  const [index, count] = (shard ?? '').split('/').map(Number);
  if (index === undefined || count === undefined) throw new MergeRefused(`Run ${id} is a whole run, no shard.`);
  return { index, count };
}

function mergedRun(runs: readonly RunFacts[]): RunFacts {
  const [first] = runs as [RunFacts];
  return {
    ...first,
    id: runs.map(({ id }) => id).join('+'),
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    endedAt:
      runs
        .map(({ endedAt }) => endedAt)
        .toSorted()
        .at(-1) ?? first.endedAt,
    shard: null,
    complete: runs.every(({ complete }) => complete),
  };
}
