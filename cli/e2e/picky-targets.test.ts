/** Deployments that refuse values which the interface does not define do not fail; those that refuse a defined value do. */
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { listOf, pickyTarget } from './testing/picky-target.ts';
import {
  create,
  hasEqualIds,
  hasSchedule,
  hasTwoOfOneType,
  inputsBeyond,
  isText,
  labelsBeyond,
  messagesBeyond,
  someFile,
  someRevision,
  someRuntime,
  someTrigger,
  someVariable,
  tasksBeyond,
} from './testing/refused-values.ts';
import type { Fields, Refuses, RefusesData } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

interface Picky {
  readonly refuses: Refuses;
  /** Rules that must not fail. */
  readonly rules: readonly RequirementId[];
  /** What the reasons of those that are not tried contain. Absent: all are tried, with other values. */
  readonly sample?: string;
}

const roundTrip = ['agents.update.round-trip', 'agents.update.unknown-404'] as const;
const ofTriggers = [
  'agents.triggers.ids-distinct',
  'agents.triggers.callback-secret-is-the-servers',
  'agents.update.round-trip',
] as const;

const picky: Readonly<Record<string, Picky>> = {
  'variables begin with APP_': { refuses: someVariable((name) => !name.startsWith('APP_')), rules: roundTrip },
  'variables have a name of the provider': {
    refuses: someVariable((name) => !name.startsWith('provider.')),
    rules: ['agents.update.wrong-type-400'],
    sample: 'samples.variables',
  },
  'variables that look like secrets are secret': {
    refuses: someVariable((name, _, { secret }) => /KEY|TOKEN|PASSWORD|SECRET/.test(name) && secret !== true),
    rules: roundTrip,
  },
  'secret variables, and no others, begin with SECRET_': {
    refuses: someVariable((name, _, { secret = false }) => secret !== name.startsWith('SECRET_')),
    rules: roundTrip,
  },
  'secret variables end in _SECRET and have one line': {
    refuses: someVariable(
      (name, value, { secret }) => secret === true && (!name.endsWith('_SECRET') || value.includes('\n')),
    ),
    rules: roundTrip,
  },
  'values of variables have one line': { refuses: someVariable((_, value) => value.includes('\n')), rules: roundTrip },
  'values of variables have at most 1000 characters': {
    refuses: someVariable((_, value) => value.length > 1000),
    rules: roundTrip,
  },
  'ids of triggers are UUIDs': {
    refuses: someTrigger(({ id }) => isText(id, /^(?![\da-f-]{36}$)./)),
    rules: ofTriggers,
  },
  'ids of triggers are like generated ones': {
    refuses: someTrigger(({ id }) => isText(id, /^(?!trigger-[\da-f]{8}$)./)),
    rules: ofTriggers,
  },
  'paths of triggers are below /hooks': {
    refuses: someTrigger((_, { path }) => isText(path, /^(?!\/hooks\/)/)),
    rules: ofTriggers,
  },
  'a cron trigger has tasks': {
    refuses: someTrigger(({ type }, { tasks }) => type === 'cron' && listOf(tasks).length === 0),
    rules: [...ofTriggers, 'agents.triggers.schedule-five-fields'],
  },
  'an http trigger has an authenticationType': {
    refuses: someTrigger(({ type }, { authenticationType }) => type === 'http' && authenticationType === undefined),
    rules: ofTriggers,
  },
  'an http trigger has an authenticationType and a path below /hooks': {
    refuses: someTrigger(
      ({ type }, { authenticationType, path }) =>
        isText(path, /^(?!\/hooks\/)/) || (type === 'http' && authenticationType === undefined),
    ),
    rules: ofTriggers,
  },
  'a cron trigger has tasks and is due once a day at most': {
    refuses: (body, request) =>
      picky['a cron trigger has tasks']!.refuses(body, request) || hasSchedule(/^\d+ \d+ /)(body, request),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'values of variables are ASCII': {
    refuses: someVariable((_, value) => /[^\0-\x7f]/.test(value)),
    rules: ['agents.update.round-trip'],
  },
  'schedules are not due at the full hour': {
    refuses: hasSchedule(/^(?:[1-9]|\*\/5 )/),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'tasks have a known kind': {
    refuses: someTrigger((_, { tasks }) => listOf(tasks).some(({ kind }) => kind !== 'known')),
    rules: ['agents.triggers.accepted-tasks-returned'],
    sample: 'samples.tasks',
  },
  'callbacks go to a registered host': {
    refuses: someTrigger((_, { callbackUrl }) => isText(callbackUrl, /^(?!https:\/\/registered\.)/)),
    rules: ['agents.triggers.timeout-at-most-900', 'agents.triggers.callback-secret-is-the-servers'],
    sample: 'samples.callbackUrl',
  },
  'an agent has one trigger of each type': {
    refuses: hasTwoOfOneType,
    rules: ['agents.triggers.ids-distinct'],
  },
  'an agent has one trigger': {
    refuses: ({ spec }, { path }) => path.includes('/agents/') && listOf(spec['triggers']).length > 1,
    rules: ['agents.update.round-trip'],
  },
  'an http trigger has a path': {
    refuses: someTrigger(({ type }, { path }) => type !== 'cron' && path === undefined),
    rules: ['agents.update.round-trip'],
  },
  'schedules are due once a month at most': {
    refuses: hasSchedule(/^\d+ \d+ \d+ /),
    rules: ['agents.update.round-trip'],
  },
  'triggers retry at least once': {
    refuses: someTrigger((_, { retry }) => retry === 0),
    rules: ['agents.update.round-trip'],
  },
  'sticky sessions last an hour at most': {
    refuses: someRevision(({ stickySessionTtl }) => Number(stickySessionTtl) > 3600),
    rules: ['agents.update.round-trip'],
  },
  'sticky sessions are disabled': {
    refuses: someRevision(({ stickySessionTtl }) => Number(stickySessionTtl) > 0),
    rules: ['agents.update.round-trip'],
  },
  'triggers retry at most twice': {
    refuses: someTrigger((_, { retry }) => Number(retry ?? 0) > 2),
    rules: ofTriggers,
  },
  'timeouts are whole minutes': {
    refuses: someTrigger((_, { timeout }) => Number(timeout) <= 900 && Number(timeout) % 60 !== 0),
    rules: ['agents.triggers.timeout-at-most-900', 'agents.update.round-trip'],
  },
  'schedules are due once a day at most': {
    refuses: hasSchedule(/^\d+ \d+ /),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'schedules are due at quarters of an hour': {
    refuses: hasSchedule(/^(?:0|15|30|45) /),
    rules: ['agents.triggers.schedule-five-fields', 'agents.update.round-trip'],
  },
  'schedules are due on the second day of a month': {
    refuses: hasSchedule(/^\d+ \d+ 2 \* \*$/),
    rules: ['agents.triggers.schedule-five-fields'],
    sample: 'samples.schedule',
  },
  'a disabled agent has no warm instances': {
    refuses: ({ spec }, { path }) =>
      path.includes('/agents/') &&
      spec['enabled'] === false &&
      Number((spec['runtime'] as Fields | undefined)?.['minScale'] ?? 0) > 0,
    rules: ['agents.update.round-trip'],
  },
  'a VPC has a region': {
    refuses: create('vpcs', ({ region }) => region === undefined),
    rules: ['vpcs.create.answers-resource'],
  },
  'a VPC has a certain region': {
    refuses: create('vpcs', ({ region }) => region !== 'north'),
    rules: ['vpcs.create.answers-resource', 'vpcs.create.envelope-required'],
    sample: 'samples.vpcSpec',
  },
  'a function has an image': {
    refuses: create('functions', ({ runtime }) => (runtime as Fields)['image'] === undefined),
    rules: ['functions.create.with-connection'],
  },
  'a function has an image of its registry': {
    refuses: create('functions', ({ runtime }) => !isText((runtime as Fields)['image'], /^registry\//)),
    rules: ['functions.create.with-connection'],
    sample: 'samples.functionSpec',
  },
  'the provider knows the secret of a connection': {
    refuses: create('connections', ({ secret }) => !isText((secret as Fields)['CLIENT_ID'], /^known/)),
    rules: ['integrations.connections.create-succeeds', 'integrations.connections.secret-rules'],
    sample: 'samples.connectionSecrets',
  },
  'a client secret has eight letters and digits': {
    refuses: create('connections', ({ secret }) => !isText((secret as Fields)['CLIENT_SECRET'], /^[\w-]{8,}$/)),
    rules: ['integrations.connections.create-succeeds'],
  },
};

/** Properties that the interface defines, each broken in one respect. */
const broken: Readonly<Record<string, readonly [Refuses, RequirementId]>> = {
  'refuses names of 49 characters': [
    create('vpcs', (_, { name }) => isText(name, /^.{49}$/)),
    'naming.name.at-most-49',
  ],
  'refuses a displayName of 63 characters': [
    create('functions', (_, { displayName }) => isText(displayName, /^.{63}$/s)),
    'naming.display-name.up-to-63-accepted',
  ],
  'refuses a timeout of 900': [someTrigger((_, { timeout }) => timeout === 900), 'agents.triggers.timeout-at-most-900'],
  'refuses disabled agents': [
    ({ spec }, { path }) => path.includes('/agents/') && spec['enabled'] === false,
    'agents.update.round-trip',
  ],
  'refuses disabled triggers': [someTrigger(({ enabled }) => enabled === false), 'agents.update.round-trip'],
  'refuses secret variables': [someVariable((_, __, { secret }) => secret === true), 'agents.update.round-trip'],
  'refuses variables that are not secret': [
    someVariable((_, __, { secret }) => secret === false),
    'agents.update.round-trip',
  ],
  'refuses an async trigger without callbackUrl': [
    someTrigger(({ type }, { callbackUrl }) => type === 'http-async' && callbackUrl === undefined),
    'agents.update.round-trip',
  ],
  'refuses two triggers of one id': [hasEqualIds, 'agents.triggers.ids-distinct'],
  'refuses two triggers of one id and two of one type': [
    (body, request) => hasEqualIds(body, request) || hasTwoOfOneType(body, request),
    'agents.triggers.ids-distinct',
  ],
  'refuses ids of triggers': [someTrigger(({ id }) => isText(id, /./)), 'agents.triggers.ids-distinct'],
  'refuses a disabled trigger with the id a': [
    someTrigger((trigger) => trigger['id'] === 'a' && trigger['enabled'] === false),
    'agents.triggers.ids-distinct',
  ],
  'refuses every timeout below 900': [
    someTrigger((_, { timeout }) => Number(timeout) < 900),
    'agents.triggers.timeout-at-most-900',
  ],
  'refuses every retry': [someTrigger((_, { retry }) => retry !== undefined), 'agents.update.round-trip'],
  'refuses every trigger': [someTrigger(() => true), 'agents.update.round-trip'],
  'refuses http triggers': [someTrigger(({ type }) => type === 'http'), 'agents.update.round-trip'],
  'refuses http-async triggers': [someTrigger(({ type }) => type === 'http-async'), 'agents.update.round-trip'],
  'refuses http-async triggers of mk3': [
    (body, request) =>
      (body.spec['runtime'] as Fields | undefined)?.['generation'] === 'mk3' &&
      someTrigger(({ type }) => type === 'http-async')(body, request),
    'agents.update.round-trip',
  ],
  'refuses cron triggers': [someTrigger(({ type }) => type === 'cron'), 'agents.update.round-trip'],
  'refuses every stickySessionTtl': [
    someRevision(({ stickySessionTtl }) => stickySessionTtl !== undefined),
    'agents.update.round-trip',
  ],
  'refuses a stickySessionTtl of 0': [
    someRevision(({ stickySessionTtl }) => stickySessionTtl === 0),
    'agents.update.round-trip',
  ],
  'refuses a minScale of 0': [someRuntime(({ minScale }) => minScale === 0), 'agents.update.round-trip'],
  'refuses ranges in schedules': [
    someTrigger((_, { schedule }) => isText(schedule, /\d-\d/)),
    'agents.triggers.schedule-five-fields',
  ],
};

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

/** Deployments that refuse names and amounts of files that the interface does not define, and rules that must pass. */
const pickyAboutFiles: Readonly<Record<string, readonly [RefusesData, readonly RequirementId[]]>> = {
  'names have lower case letters, digits, hyphens and dots': [
    someFile((path) => /[^a-z0-9./-]/.test(path)),
    [...ofFiles, ...ofWatches],
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
