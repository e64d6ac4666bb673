/** A run is the same at any concurrency, and a target that limits the rate of requests is tested completely. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { openRun, type RunSettings } from '../../suites/engine/open-run.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import { openTestTarget } from './testing/run-on-target.ts';
import { startRecordingMock } from './testing/recording-mock.ts';

const rules: readonly RequirementId[] = [
  'agents.runtime.generation-known',
  'agents.triggers.type-known',
  'agents.update.round-trip',
  'agents.update.idempotent',
  'metrics.cost.always-there',
  'metrics.group-by.order-irrelevant',
  'metrics.pagination.limit-clamped',
  'metrics.resolution.hourly-cap',
  'naming.name.at-most-49',
  'oauth.authorize.state-returned',
  'sandbox.tree.size-in-bytes',
  'versions.unknown.malformed-refused',
  'vpcs.create.answers-resource',
];

async function runAt(concurrency: number, file: TargetFile, differs: Partial<RunSettings> = {}) {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-concurrency-'));
  const target = await openTestTarget({ ...file, allow: 'write' });
  const ledgerFile = path.join(folder.path, 'ledger');
  const settings = { target, seed: 5, runs: 6, concurrency, patienceSeconds: 12, runId: 'same', ledgerFile };
  const run = openRun({ ...settings, ...differs });
  try {
    const cases = await collectCases(rules);
    return await Promise.all(schedule(cases.values(), run.context).values());
  } finally {
    await run.close();
  }
}

/** Names depend on which rule needed a shared resource first. */
const withoutNames = (value: unknown): unknown =>
  JSON.parse((JSON.stringify(value) ?? 'null').replaceAll(/assay-same-[\da-z-]+/g, 'NAME'));

const described = (outcomes: readonly CaseOutcome[]) =>
  outcomes.map(({ result: { id, verdict, inputs, counterexample } }) => {
    const { input, path: found, seed, property, shrinking } = counterexample ?? {};
    return { id, verdict, inputs, input: withoutNames(input), found, seed, property, shrinking };
  });

test('two runs with one seed test the same inputs and find the same counterexamples at concurrency 1 and 32', async () => {
  const deviate = [
    'agents.update.round-trip', // shrinks an input of a fixed list
    'metrics.resolution.hourly-cap',
    'sandbox.tree.size-in-bytes',
    'vpcs.create.answers-resource',
  ];
  const [one, many] = await Promise.all(
    [1, 32].map(async (concurrency) => {
      await using mock = await startMock({ deviate });
      return described(await runAt(concurrency, mock.target));
    }),
  );
  expect(many).toEqual(one);
  expect(one?.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual(deviate);
  expect(one?.filter(({ verdict }) => verdict === 'passed')).toHaveLength(rules.length - deviate.length);
});

test('a target that refuses more than so many requests per second is tested completely', async () => {
  const PER_SECOND = 50;
  let windowEnd = 0;
  let inWindow = 0;
  let refused = 0;
  const refuseExcess = (): number | undefined => {
    const now = performance.now();
    if (now >= windowEnd) [windowEnd, inWindow] = [now + 1000, 0];
    if ((inWindow += 1) <= PER_SECOND) return undefined;
    refused += 1;
    return 429;
  };
  await using limited = await startRecordingMock(() => {}, {}, refuseExcess);
  const outcomes = await runAt(16, limited.target, { isQuick: true });
  expect(outcomes.map(({ result }) => [result.id, result.verdict, result.reason])).toEqual(
    rules.map((id) => [id, 'passed', undefined]),
  );
  expect(refused).toBeGreaterThan(0);
});
