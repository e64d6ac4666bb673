/** Deployments that refuse values which the interface does not define do not fail; those that refuse a defined value do. */
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { broken, picky } from './testing/picky-deployments.ts';
import { pickyOutcomes } from './testing/picky-outcomes.ts';
import { pickyTarget } from './testing/picky-target.ts';
import {
  create,
  inputsBeyond,
  isText,
  labelsBeyond,
  messagesBeyond,
  someFile,
  someRevision,
  someRuntime,
  someTrigger,
  tasksBeyond,
} from './testing/refused-values.ts';
import type { Fields, Refuses, RefusesData } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const ofFiles = [
  'sandbox.tree.write-answers-listing',
  'sandbox.tree.nested-directories',
  'sandbox.tree.write-keeps-others',
  'sandbox.tree.size-in-bytes',
  'sandbox.tree.listing-shape',
  'sandbox.tree.paths-end-with-names',
  'sandbox.tree.readable-after-write',
  'sandbox.tree.any-sequence-follows-the-model',
] as const;
const ofWatches = ['sandbox.watch.every-write-a-line', 'sandbox.watch.only-its-directory'] as const;

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Deployments that refuse names and amounts of files that the interface does not define, and rules that must pass. */
const pickyAboutFiles: Readonly<Record<string, readonly [RefusesData, readonly RequirementId[]]>> = {
  'names have lower case letters, digits, hyphens and dots': [
    someFile((path) => /[^a-z0-9./-]/.test(path)),
    [...ofFiles, ...ofWatches],
  ],
  'names of files have an extension': [someFile((path) => !nameIn(path).includes('.')), [...ofFiles, ...ofWatches]],
  'names have at least two characters': [
    someFile((path) => path.split('/').some(({ length }) => length === 1)),
    [...ofFiles, ...ofWatches],
  ],
  'names of files have at least two characters': [someFile((path) => nameIn(path).length === 1), ofFiles],
  'names of directories have at least two characters, and those of files an extension': [
    someFile((path) => !nameIn(path).includes('.') || /\/[^/]\//.test(path)),
    ofFiles,
  ],
  'names have no spaces': [someFile((path) => path.includes(' ')), ofFiles],
  'a file is at most five directories deep': [
    someFile((path) => path.slice(path.indexOf('/filesystem/tree/')).split('/').length > 9),
    ofFiles,
  ],
  'a write has at most three files': [({ files }) => Object.keys(files ?? {}).length > 3, [...ofFiles, ...ofWatches]],
  'only /workspace can be written': [
    someFile((path) => !path.includes('/filesystem/tree/workspace')),
    [...ofFiles, ...ofWatches],
  ],
  'a file is not empty': [someFile((_, content) => content === ''), ofFiles],
  'a file has at most 200 bytes': [someFile((_, content) => Buffer.byteLength(content) > 200), ofFiles],
};

/** Limits that the interface does not show, below them limits that leave too little, and the rule about them. */
const dataLimits: readonly (readonly [string, (max: number) => RefusesData, RequirementId, number, number])[] = [
  ['characters of inputs', inputsBeyond, 'inference.agents.answers', 500, 20],
  ['messages', messagesBeyond, 'inference.models.chat-completions', 6, 2],
  ['tasks', tasksBeyond, 'jobs.executions.accepted', 3, 1],
];

const withoutSamples = ({ samples: _, ...file }: TargetFile): TargetFile => ({ ...file, allow: 'destroy' });

async function outcomesOn(
  inner: TargetFile,
  refuses: Refuses,
  rules: readonly RequirementId[],
  refusesData?: RefusesData,
) {
  await using target = await pickyTarget(inner, refuses, { refusesData });
  const outcomes = await runOnTarget(withoutSamples(target.target), { selected: rules, runs: 12, patienceSeconds: 3 });
  return outcomes.map(({ result: { id, verdict, reason, counterexample } }) => ({
    id,
    verdict,
    reason,
    counterexample,
  }));
}

/** Of each rule, whether it passed; of one that is not tried, whether its reason names the sample; otherwise everything. */
const described = (outcomes: Awaited<ReturnType<typeof outcomesOn>>, sample = 'no sample'): unknown[] =>
  outcomes.map((outcome) => {
    if (outcome.verdict === 'passed') return 'passed';
    return outcome.verdict === 'not-tried' && outcome.reason?.includes(sample) ? sample : outcome;
  });

test.concurrent.each(Object.entries(picky))('%s', async (_, { refuses, rules, sample }) => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const found = described(await outcomesOn(mock.target, refuses, rules), sample);
  expect(found).toEqual(rules.map(() => expect.toBeOneOf(['passed', sample])));
  expect(found).toContain(sample ?? 'passed');
});

const nothing: Refuses = () => false;

test.concurrent.each(Object.entries(pickyAboutFiles))('%s', async (_, [refuses, rules]) => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const found = described(await outcomesOn(mock.target, nothing, rules, refuses));
  expect(found).toEqual(rules.map(() => 'passed'));
});

test.concurrent.each([
  ['two files', ({ files }: Fields) => Object.keys(files ?? {}).length === 2],
  ['files in a new directory', someFile((path) => path.endsWith('/a/f'))],
] as const)('a deployment that refuses %s fails', async (_, refuses) => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const rules = ['sandbox.tree.nested-directories', 'sandbox.tree.write-keeps-others'] as const;
  const outcomes = await outcomesOn(mock.target, nothing, rules, refuses);
  expect(outcomes.map(({ verdict }) => verdict)).toContain('failed');
});

test.concurrent.each(dataLimits)('a limit of %s', async (unit, beyond, rule, max, tooLow) => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const [accepted] = await outcomesOn(mock.target, nothing, [rule], beyond(max));
  expect(accepted).toMatchObject({ verdict: 'passed', reason: expect.stringMatching(`inputs show nothing.*${unit}`) });
  expect(await outcomesOn(mock.target, nothing, [rule], beyond(tooLow))).toMatchObject([{ verdict: 'failed' }]);
});

test.concurrent('a limit of labels', async () => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const rules = ['naming.labels.string-values', 'agents.update.round-trip'] as const;
  const accepted = await outcomesOn(mock.target, labelsBeyond(5, 40), rules);
  expect(accepted).toMatchObject(rules.map(() => ({ verdict: 'passed' })));
  expect(accepted[0]?.reason).toMatch(/inputs show nothing.*label/);
  const [tooLow] = await outcomesOn(mock.target, labelsBeyond(1, 40), rules);
  expect(tooLow).toMatchObject({ verdict: 'failed' });
});

test.concurrent.each(Object.entries(broken))('a deployment that %s fails', async (_, [refuses, rule]) => {
  await using mock = await startMock({ sandboxUrls: 'path', onlyDocumented: true });
  expect(await outcomesOn(mock.target, refuses, [rule])).toMatchObject([{ id: rule, verdict: 'failed' }]);
});

test.concurrent.each([
  ['every trigger', someTrigger(() => true)],
  ['http triggers', someTrigger(({ type }) => type === 'http')],
] as const)(
  'rules about something else than triggers are tried on a deployment that refuses %s',
  async (_, refuses) => {
    await using mock = await startMock({ sandboxUrls: 'path' });
    const rules = ['agents.enabled.false-does-not-serve', 'agents.runtime.generation-known'] as const;
    const outcomes = await outcomesOn(mock.target, refuses, rules);
    expect(outcomes).toMatchObject(rules.map((id) => ({ id, verdict: 'passed' })));
  },
);

/** Deployments that may conform, but do not accept what a run sends; and what the reason of a passed rule names. */
test.concurrent.each([
  ['paths of triggers', someTrigger((_, { path }) => path !== undefined), 'samples.triggerPath'],
  ['paths of triggers, which are required', someTrigger(({ type }) => type !== 'cron'), 'samples.triggerPath'],
  ['callbackUrls', someTrigger((_, { callbackUrl }) => callbackUrl !== undefined), 'samples.callbackUrl'],
  ['revisions', someRevision((revision) => Object.keys(revision).length > 0), 'stickySessionTtl'],
  ['sizes of memory', someRuntime(({ memory }) => memory !== undefined), 'spec.runtime.memory (status 400)'],
] as const)('a deployment that refuses all %s shows nothing with them', async (_, refuses, missing) => {
  await using mock = await startMock({ sandboxUrls: 'path', onlyDocumented: true });
  const [outcome] = await outcomesOn(mock.target, refuses, ['agents.update.round-trip']);
  expect(outcome).toMatchObject({ verdict: 'passed', reason: expect.stringContaining(missing) });
});

test.concurrent('secrets that a deployment refuses are no success', async () => {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const isLong = (secret: unknown): boolean => Object.values(secret as Fields).some((text) => isText(text, /.{51}|%/));
  const refuses = create('connections', ({ secret }) => isLong(secret));
  const [outcome] = await outcomesOn(mock.target, refuses, ['integrations.connections.create-succeeds']);
  expect(outcome).toMatchObject({ verdict: 'passed', reason: expect.stringMatching(/inputs show nothing.*secret/s) });
});

test.concurrent.each(['lenient', 'strict'] as const)(
  'an independent server (%s) that is picky does not fail',
  async (character) => {
    await using stranger = await startStranger({ character, deploymentMs: 200 });
    const all = [
      'variables begin with APP_',
      'ids of triggers are UUIDs',
      'a VPC has a region',
      'a function has an image',
    ];
    const refuses: Refuses = (body, request) => all.some((each) => picky[each]!.refuses(body, request));
    const rules = [...new Set(all.flatMap((each) => picky[each]!.rules))];
    const outcomes = await outcomesOn(stranger.target, refuses, rules);
    expect(outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error')).toEqual([]);
  },
);

const longDisplayName = 'naming.display-name.up-to-63-accepted';
const stringLabels = 'naming.labels.string-values';
const isUpdate = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'PUT' && path.includes('/agents/');

test.concurrent.each([
  [longDisplayName, ({ displayName }: Fields) => String(displayName).length > 40],
  [stringLabels, ({ labels }: Fields) => labels !== undefined],
] as const)('agent updates that stay refused with 409 show nothing about %s', async (rule, isRefused) => {
  const refuses: Refuses = ({ metadata }, request) => isUpdate(request) && isRefused(metadata);
  const refusal = { status: 409 };
  const [outcome] = await pickyOutcomes(refuses, [rule], { refusal, isQuick: true, patienceSeconds: 0.5 });
  expect(outcome).toMatchObject({ id: rule, verdict: 'passed' });
  expect(outcome?.reason).toMatch(/inputs show nothing; missing: an agent that accepts .*409/);
});
