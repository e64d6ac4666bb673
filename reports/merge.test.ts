import { expect, test } from 'vitest';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Counterexample, Verdict } from '../spec/verdicts.ts';
import { mergeShards } from './merge.ts';
import { exitCodeOf } from './failure-causes.ts';
import { buildReport, SCHEMA_RULE } from './report.ts';
import type { RunRecord } from './report.ts';

const COUNT = 3;
const run = {
  seed: 1,
  runs: 10,
  startedAt: '2026-10-01T00:00:00Z',
  endedAt: '2026-10-01T00:00:02Z',
  assay: '0.1.0',
  complete: true,
};
const target = { name: 'staging', addresses: { management: 'http://a/v0' }, brand: 'Svc', allow: 'read' as const };
const misfit: Counterexample = { input: {}, seed: 1, path: '', curl: '', expected: 'fits', actual: 'does not' };

const idsOf = (index: number): RequirementId[] =>
  requirements.map(({ id }) => id).filter((_, place) => place % COUNT === index - 1);

function outcome(id: RequirementId, verdict: Verdict, misfits: Counterexample[] = []): CaseOutcome {
  const { level, rule } = requirement(id);
  return {
    result: { id, level, rule, verdict, durationMs: 1, exchanges: 2 },
    observations: [],
    shapes: { fitted: 1, misfitted: misfits.length, misfits },
    exercised: [],
  };
}

type Over = Partial<RunRecord> & { facts?: Partial<RunRecord['run']> };

function shard(index: number, { facts = {}, ...over }: Over = {}): RunRecord {
  const ids = idsOf(index);
  return {
    run: { ...run, id: `r${index}`, shard: `${index}/${COUNT}`, ...facts },
    target,
    outcomes: ids.map((id) => outcome(id, 'passed')),
    shardRules: ids,
    ...over,
  };
}

const all = (second: Over = {}): RunRecord[] => [shard(3), shard(1), shard(2, second)];

test('shards in any order merge into one report of all rules', () => {
  const report = buildReport(mergeShards(all()));
  expect(report.requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
  expect(report.run).toMatchObject({ id: 'r1+r2+r3', shard: null, complete: true });
  expect(report.summary).toMatchObject({ passed: requirements.length, exchanges: 2 * requirements.length });
  expect(exitCodeOf(report)).toBe(0);
});

test('leftovers of all shards are listed', () => {
  const sentence = 'Not removed: assay-r2-1 (made by createVpc), because deleteVpc was answered 405.';
  expect(buildReport(mergeShards(all({ left: [sentence] }))).left).toEqual([sentence]);
  expect(buildReport(mergeShards(all()))).not.toHaveProperty('left');
});

test('a shard reports only its own rules', () => {
  expect(buildReport(shard(2)).requirements.map(({ id }) => id)).toEqual(idsOf(2));
});

test('the merged run lasts from the first start to the last end', () => {
  const early = { facts: { startedAt: '2026-09-30T23:59:00Z', endedAt: '2026-10-01T00:09:00Z' } };
  expect(mergeShards(all(early)).run).toMatchObject(early.facts);
});

test('a schema mismatch in one shard fails the schema rule of another', () => {
  const shapesShard = [1, 2, 3].find((index) => idsOf(index).includes(SCHEMA_RULE));
  const other = shapesShard === 2 ? 3 : 2;
  const [first, ...rest] = idsOf(other);
  const outcomes = [outcome(first as RequirementId, 'passed', [misfit]), ...rest.map((id) => outcome(id, 'passed'))];
  const records = [1, 2, 3].map((index) => shard(index, index === other ? { outcomes } : {}));
  expect(records.map((record) => exitCodeOf(buildReport(record)))).toEqual([0, 0, 0]);
  const merged = buildReport(mergeShards(records));
  expect(merged.requirements.find(({ id }) => id === SCHEMA_RULE)).toMatchObject({ verdict: 'failed' });
  expect(exitCodeOf(merged)).toBe(1);
});

test('an interrupted shard makes the merged run incomplete', () => {
  const report = buildReport(mergeShards(all({ facts: { complete: false } })));
  expect({ complete: report.run.complete, code: exitCodeOf(report) }).toEqual({ complete: false, code: 3 });
});

test('a rule missing from all shards is an error', () => {
  const [missing, ...others] = idsOf(2);
  const report = buildReport(mergeShards(all({ outcomes: others.map((id) => outcome(id, 'passed')) })));
  expect(report.requirements.find(({ id }) => id === missing)).toMatchObject({ verdict: 'error' });
  expect(exitCodeOf(report)).toBe(3);
});

test.each<[string, RunRecord[], string]>([
  ['another seed', all({ facts: { seed: 2 } }), 'the seed differs'],
  ['another number of inputs', all({ facts: { runs: 11 } }), '--runs'],
  ['another version', all({ facts: { assay: '0.2.0' } }), 'version of assay'],
  ['another target', all({ target: { ...target, addresses: { management: 'http://b/v0' } } }), 'the target differs'],
  ['another level of allow', all({ target: { ...target, allow: 'write' } }), 'the target differs'],
  ['another number of shards', all({ facts: { shard: '2/4' } }), 'number of shards'],
  ['another selection', all({ selected: idsOf(2) }), '--only'],
  ['an oracle that others had not', all({ oracle: 'prism' }), 'oracle (--oracle)'],
  ['other known failures', all({ knownFailures: [] }), 'known failures'],
  ['a missing shard', all().slice(1), 'Missing: shard 3/3'],
  ['a shard that is there twice', [...all(), shard(1)], 'Shard 1/3 appears twice'],
  ['a whole run', [shard(1, { facts: { shard: null } })], 'whole run'],
  ['nothing', [], 'No shards'],
])('%s is rejected', (_, records, message) => {
  expect(() => mergeShards(records)).toThrow(message);
});
