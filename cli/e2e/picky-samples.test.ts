/** Samples of the target file replace what a run makes up, in every request that has it. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyOutcomes, verdictsOf } from './testing/picky-outcomes.ts';
import { listOf } from './testing/picky-target.ts';
import { someTrigger, someVariable } from './testing/refused-values.ts';
import type { Fields, Refuses } from './testing/picky-target.ts';

const someAgent =
  (refuses: (spec: Fields, runtime: Fields) => boolean): Refuses =>
  ({ spec }, { path }) =>
    /\/agents(\/|$)/.test(path) && refuses(spec, (spec['runtime'] ?? {}) as Fields);

/** What a deployment requires of the spec of every agent, by the sample that has it. */
const required: readonly (readonly [string, Refuses, Fields])[] = [
  ['a memory', someAgent((__, { memory }) => memory === undefined), { runtime: { memory: 2048 } }],
  ['a region', someAgent(({ region }) => region === undefined), { region: 'local' }],
];

const withAgents: readonly RequirementId[] = [
  'agents.update.round-trip',
  'agents.update.defaults',
  'agents.update.unknown-404',
  'agents.update.any-sequence-follows-the-model',
  'agents.update.policies-sent-only',
  'agents.enabled.false-does-not-serve',
  'agents.runtime.generation-known',
  'agents.triggers.ids-distinct',
  'naming.name.immutable',
  'naming.labels.string-values',
  'auth.scopes.update-agent-accepts-admin',
  'auth.scopes.update-agent-accepts-agents-update',
  'auth.update-agent.missing-credential-401',
  'auth.public-agent.open-when-public',
  'versions.listed.accepted-everywhere',
  'images.cleanup.answer-shape',
];

test.concurrent.each(required)('updates have %s if the sample has it', async (_, refuses, agentSpec) => {
  const outcomes = await pickyOutcomes(refuses, withAgents, { samples: { agentSpec }, runs: 4 });
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test.concurrent('without it, reasons name the sample, and no rule about something else fails', async () => {
  const [, refuses] = required[0]!;
  const rules = ['agents.update.round-trip', 'agents.update.unknown-404', 'agents.triggers.ids-distinct'] as const;
  const outcomes = await pickyOutcomes(refuses, rules, { runs: 4 });
  expect(outcomes.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  for (const { reason } of outcomes) expect(reason).toContain('samples.agentSpec');
});

const roundTrip = 'agents.update.round-trip';
const texts = 'naming.texts.repeated-spaces-unchanged';
const variables = { APP_ONE: 'x', APP_TWO: 'y' };
const beginsWithApp = someVariable((name) => !name.startsWith('APP_'));

test.concurrent.each([
  ['without samples', undefined],
  ['with samples', { variables }],
])('joined spaces in variables are found if their names are limited, %s', async (_, samples) => {
  const deviate = [`${texts}/returns-single-spaces-in-variables`];
  const outcomes = await pickyOutcomes(beginsWithApp, [roundTrip, texts], { samples, deviate });
  expect(verdictsOf(outcomes)).toEqual({ [roundTrip]: 'failed', [texts]: 'failed' });
});

test.concurrent('values of the target file are sent if a deployment accepts no others, and then show nothing', async () => {
  const isKnown = (name: string, value: string): boolean =>
    Object.entries(variables).some(([key, known]) => key === name && known === value);
  const refuses = someVariable((name, value) => !isKnown(name, value));
  const outcomes = await pickyOutcomes(refuses, [roundTrip, texts], { samples: { variables }, runs: 4 });
  expect(verdictsOf(outcomes)).toEqual({ [roundTrip]: 'passed', [texts]: 'passed' });
  expect(outcomes.find(({ id }) => id === texts)?.reason).toMatch(/inputs show nothing.*a variable whose value/);
});

const everyVariable: Refuses = ({ spec }, { path }) =>
  path.includes('/agents/') && listOf((spec['runtime'] as Fields | undefined)?.['envs']).length > 0;

test.concurrent('a refusal of every variable names the sample, and is a failure with it', async () => {
  const [without] = await pickyOutcomes(everyVariable, [roundTrip], { runs: 4 });
  expect(without).toMatchObject({ verdict: 'passed', reason: expect.stringContaining('samples.variables') });
  const [given] = await pickyOutcomes(everyVariable, [roundTrip], { samples: { variables }, runs: 4 });
  expect(given).toMatchObject({ verdict: 'failed' });
});

const ofTasks = 'agents.triggers.accepted-tasks-returned';

test.concurrent('if the tasks of the target file are refused, no other sample is named', async () => {
  const refuses = someTrigger((_, { tasks }) => listOf(tasks).length > 0);
  const [outcome] = await pickyOutcomes(refuses, [ofTasks], { samples: { tasks: [{ a: 1 }] } });
  expect(outcome?.reason ?? '').not.toMatch(/samples\.schedule/);
});

test.concurrent('if only their schedule is refused, it is named', async () => {
  const refuses = someTrigger(
    ({ type }, { tasks, schedule }) => type === 'cron' && (listOf(tasks).length === 0 || schedule !== '5 5 5 5 *'),
  );
  const [outcome] = await pickyOutcomes(refuses, [ofTasks], { samples: { tasks: [{ a: 1 }] } });
  expect(outcome?.verdict).toBe('not-tried');
  expect(outcome?.reason).toMatch(/samples\.schedule/);
});
