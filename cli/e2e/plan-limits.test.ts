/** A plan that has fewer features of agents: rules that can do without them are tried, and detect what they are about. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { listOf, pickyTarget } from './testing/picky-target.ts';
import type { Fields, Refuses } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const ofAgents =
  (refuses: (spec: Fields, runtime: Fields) => boolean): Refuses =>
  ({ spec }, { path }) =>
    path.includes('/agents/') && refuses(spec, (spec['runtime'] ?? {}) as Fields);

interface Plan {
  readonly refuses: Refuses;
  readonly rule: RequirementId;
  /** Of the rule, which are detected nevertheless. */
  readonly deviations: readonly string[];
}

const disabled = {
  rule: 'agents.enabled.false-does-not-serve',
  deviations: ['serves-triggers-although-the-agent-is-disabled', 'enables-an-agent-before-it-checks-the-credential'],
} as const;

const plans: Readonly<Record<string, Plan>> = {
  'no warm instances': { refuses: ofAgents((_, { minScale }) => Number(minScale) > 0), ...disabled },
  'no warm instances of a disabled agent': {
    refuses: ofAgents(({ enabled }, { minScale }) => enabled === false && Number(minScale) > 0),
    ...disabled,
  },
  'one trigger, no schedules and two variables': {
    refuses: ofAgents(
      ({ triggers }, { envs }) =>
        listOf(triggers).length > 1 || listOf(triggers).some(({ type }) => type === 'cron') || listOf(envs).length > 2,
    ),
    rule: 'agents.update.wrong-type-400',
    deviations: ['rounds-a-fractional-retry', 'accepts-text-as-the-secret-flag-of-a-variable'],
  },
};

async function outcomeOn({ refuses, rule }: Plan, deviate: readonly string[]) {
  await using mock = await startMock({ sandboxUrls: 'path', deviate });
  await using target = await pickyTarget(mock.target, refuses);
  const [outcome] = await runOnTarget(target.target, { selected: [rule], runs: 12, patienceSeconds: 3 });
  return outcome?.result;
}

test.concurrent.each(Object.entries(plans))('%s', async (_, plan) => {
  expect(await outcomeOn(plan, [])).toMatchObject({ verdict: 'passed' });
});

const defects = Object.entries(plans).flatMap(([name, plan]) =>
  plan.deviations.map((deviation) => [name, `${plan.rule}/${deviation}`, plan] as const),
);

test.concurrent.each(defects)('%s, and %s', async (_, deviation, plan) => {
  expect(await outcomeOn(plan, [deviation])).toMatchObject({ verdict: 'failed' });
});
