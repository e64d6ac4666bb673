/** Rules about callers are tried with values that a picky deployment accepts, so that they still find what is wrong. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyOutcomes, verdictsOf } from './testing/picky-outcomes.ts';
import type { Fields } from './testing/picky-target.ts';
import { isText, someTrigger, someVariable } from './testing/refused-values.ts';

const scoped = 'auth.scopes.update-agent-accepts-agents-update';
const beginsWithApp = someVariable((name) => !name.startsWith('APP_'));
const hasPath = someTrigger(({ type }, { path }) => type !== 'cron' && path === undefined);
const variables = { APP_ONE: 'x', APP_TWO: 'y' };

test.each<[string, Fields | undefined]>([
  ['without samples', undefined],
  ['with samples', { variables }],
])('a scope that is not enough for variables fails if their names are limited, %s', async (_, samples) => {
  const deviate = [`${scoped}/requires-admin-for-updates-with-environment-variables`];
  expect(verdictsOf(await pickyOutcomes(beginsWithApp, [scoped], { samples, deviate }))).toEqual({
    [scoped]: 'failed',
  });
});

test('variables that are refused from every caller are named, with their sample', async () => {
  const refuses = someVariable((name) => !name.startsWith('provider.'));
  const [outcome] = await pickyOutcomes(refuses, [scoped]);
  expect(outcome).toMatchObject({
    verdict: 'passed',
    reason: expect.stringMatching(/a variable by name.*samples\.variables/),
  });
});

const ofCallers: readonly RequirementId[] = [
  scoped,
  'auth.scopes.update-agent-accepts-admin',
  'auth.scopes.update-agent-refuses-others-403',
  'auth.update-agent.missing-credential-401',
  'auth.public-agent.open-when-public',
  'auth.public-agent.closed-again',
  'versions.listed.accepted-everywhere',
  'versions.unknown.has-no-effect',
];

test.each([
  ['http triggers have a path', hasPath],
  ['names of variables begin with APP_', beginsWithApp],
  [
    'http triggers have an authenticationType and a path below /hooks',
    someTrigger(
      ({ type }, { authenticationType, path }) =>
        type !== 'cron' && (!isText(path, /^\/hooks\//) || (type === 'http' && authenticationType === undefined)),
    ),
  ],
] as const)('if %s, rules about callers and versions pass', async (_, refuses) => {
  const outcomes = await pickyOutcomes(refuses, ofCallers, { runs: 4 });
  expect(verdictsOf(outcomes)).toEqual(Object.fromEntries(ofCallers.map((id) => [id, 'passed'])));
});

test('an agent that does not open with triggers fails, also if http triggers have a path', async () => {
  const rule = 'auth.public-agent.open-when-public';
  const deviate = [`${rule}/does-not-open-an-agent-that-has-triggers`];
  expect(verdictsOf(await pickyOutcomes(hasPath, [rule], { deviate }))).toEqual({ [rule]: 'failed' });
});
