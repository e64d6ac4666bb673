/** A run is the same at any concurrency, and a target that limits the rate of requests is tested completely. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirementOf } from '../../mock/deviations/index.ts';
import { startMock, type MockOptions } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { DEFAULT_RUNS, openRun, type RunSettings } from '../../suites/engine/open-run.ts';
import type { Case } from '../../suites/engine/run-case.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import { openTestTarget } from './testing/run-on-target.ts';
import { startRecordingMock } from './testing/recording-mock.ts';
import { isNightly } from './testing/sample-size.ts';

/** The complete run that is limited takes ten minutes. */
const MAX_MS = 1_800_000;

/** Of different areas. */
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

/** Their cases mostly wait, which takes long at concurrency 1. The nightly run has them, and tests the inputs of all rounds. */
const slow: readonly RequirementId[] = [
  'agents.enabled.false-does-not-serve',
  'agents.update.triggers-deployment',
  'auth.public-agent.closed-again',
  'functions.create.with-connection',
  'sandbox.watch.every-write-a-line',
];

interface RecordedRun {
  readonly outcomes: readonly CaseOutcome[];
  /** Of each property of each rule, in order: those of all rounds, once for each round that the run has. */
  readonly inputs: Readonly<Record<string, readonly unknown[]>>;
}

async function runAt(
  concurrency: number,
  file: TargetFile,
  cases: ReadonlyMap<RequirementId, Case>,
  differs: Partial<RunSettings> = {},
): Promise<RecordedRun> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-concurrency-'));
  const target = await openTestTarget({ ...file, allow: 'write' });
  const ledgerFile = path.join(folder.path, 'ledger');
  const settings = {
    target,
    seed: 5,
    runs: DEFAULT_RUNS,
    concurrency,
    runId: 'same',
    ledgerFile,
    isProcessShared: true,
  };
  const run = openRun({ ...settings, ...differs });
  const inputs: Record<string, unknown[]> = {};
  const onInputs = (id: string, property: number, values: readonly unknown[]): void => {
    (inputs[`${id}, property ${property}`] ??= []).push(values.map(withoutNames));
  };
  try {
    const outcomes = await Promise.all(schedule(cases.values(), { ...run.context, onInputs }).values());
    return { outcomes, inputs };
  } finally {
    await run.close();
  }
}

/** Names depend on which rule needed a shared resource first. */
const withoutNames = (value: unknown): unknown =>
  JSON.parse((JSON.stringify(value) ?? 'null').replaceAll(/assay-same-[\da-z-]+/g, 'NAME'));

function described({ outcomes, inputs }: RecordedRun) {
  const results = outcomes.map(({ result: { id, verdict, inputs: inputCount, counterexample } }) => {
    const { input, path: found, seed, property, shrinking } = counterexample ?? {};
    return { id, verdict, inputCount, input: withoutNames(input), found, seed, property, shrinking };
  });
  return { results, inputs };
}

/** Runs the cases one after the other and at the same time, with the same seed. */
const runBoth = async (
  cases: ReadonlyMap<RequirementId, Case>,
  settings: Partial<RunSettings>,
  options: MockOptions = {},
) =>
  Promise.all(
    [1, 32].map(async (concurrency) => {
      await using mock = await startMock(options);
      return described(await runAt(concurrency, mock.target, cases, settings));
    }),
  );

test('two runs with one seed test the same inputs at concurrency 1 and 32', async () => {
  const all = await collectCases();
  const cases = isNightly ? all : new Map([...all].filter(([id]) => !slow.includes(id)));
  const [one, many] = await runBoth(cases, { isQuick: !isNightly });
  const properties = Object.keys({ ...one?.inputs, ...many?.inputs });
  // One by one: the difference of all inputs would be too long to read.
  for (const property of properties)
    expect({ property, inputs: many?.inputs[property] }).toEqual({ property, inputs: one?.inputs[property] });
  expect(many?.results).toEqual(one?.results);
  expect(properties.length).toBeGreaterThan(300);
});

test('two runs with one seed find the same counterexamples at concurrency 1 and 32', async () => {
  const deviate = [
    'agents.update.round-trip/omits-variables-that-are-marked-as-secret', // shrinks an input of a fixed list
    'metrics.resolution.hourly-cap',
    'sandbox.tree.size-in-bytes',
    'vpcs.create.answers-resource',
  ];
  const [one, many] = await runBoth(await collectCases(rules), { runs: 6, patienceSeconds: 12 }, { deviate });
  expect(many).toEqual(one);
  expect(one?.results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual(
    deviate.map((id) => id.split('/', 1)[0]),
  );
  expect(one?.results.filter(({ verdict }) => verdict === 'passed')).toHaveLength(rules.length - deviate.length);
});

test('requests that a rule must send at the same time are sent so at concurrency 1', async () => {
  const deviate = [
    'inference.agents.threads-separate/assigns-simultaneous-calls-to-the-thread-of-the-last-one',
    'mcp.sandboxes.speaks-streamable-http/responds-to-simultaneous-pings-with-the-id-of-the-last',
    'metrics.answer.shape-and-echo/returns-one-response-to-simultaneous-requests',
    'naming.name.unique-in-workspace/creates-two-vpcs-of-the-same-name-for-simultaneous-requests',
    'sandbox.tree.write-keeps-others/loses-the-files-of-a-simultaneous-write',
    'sandboxes.preview-tokens.deleted-once/returns-200-for-simultaneous-deletions-of-a-token',
  ];
  const broken = deviate.map((id) => requirementOf(id) as RequirementId);
  await using mock = await startMock({ deviate });
  const { outcomes } = await runAt(1, mock.target, await collectCases(broken), { patienceSeconds: 12 });
  const failed = outcomes.filter(({ result }) => result.verdict === 'failed').map(({ result }) => result.id);
  expect(failed.toSorted()).toEqual(broken.toSorted());
});

/** A mock behind a limit, and how many requests that has refused. */
async function startLimited(perSecond: number) {
  let windowEnd = 0;
  let inWindow = 0;
  let refusedCount = 0;
  const limited = await startRecordingMock(
    () => {},
    {},
    () => {
      const now = performance.now();
      if (now >= windowEnd) [windowEnd, inWindow] = [now + 1000, 0];
      if ((inWindow += 1) <= perSecond) return undefined;
      refusedCount += 1;
      return 429;
    },
  );
  return { limited, refusedCount: () => refusedCount, [Symbol.asyncDispose]: () => limited[Symbol.asyncDispose]() };
}

test('a target that refuses more than so many requests per second is tested completely', async () => {
  await using target = await startLimited(20);
  const { outcomes } = await runAt(16, target.limited.target, await collectCases(rules), { runs: 6, isQuick: true });
  expect(outcomes.map(({ result }) => [result.id, result.verdict, result.reason])).toEqual(
    rules.map((id) => [id, 'passed', undefined]),
  );
  expect(target.refusedCount()).toBeGreaterThan(0);
  // The burst before the first refusal, and few later ones; a run that ignored refusals would have as many as requests.
  expect(target.refusedCount() / target.limited.seen.length).toBeLessThan(0.15);
});

test.runIf(isNightly)(
  'a complete run takes about as long as the rate limit of its target requires',
  { timeout: MAX_MS },
  async () => {
    const perSecond = 20;
    await using target = await startLimited(perSecond);
    const started = performance.now();
    const { outcomes } = await runAt(16, target.limited.target, await collectCases());
    const seconds = (performance.now() - started) / 1000;
    const acceptedCount = target.limited.seen.length - target.refusedCount();
    process.stdout.write(
      `${acceptedCount} requests in ${seconds.toFixed(0)} s; ${target.refusedCount()} were refused\n`,
    );
    expect(
      outcomes.map(({ result }) => result).filter(({ verdict }) => verdict === 'failed' || verdict === 'error'),
    ).toEqual([]);
    expect(target.refusedCount() / acceptedCount).toBeLessThan(0.03);
    expect(seconds / (acceptedCount / perSecond)).toBeLessThan(1.15);
  },
);
