/** Each picky deployment fails no rule about callers, versions and names either, and samples hide nothing that is broken. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { broken, picky } from './testing/picky-deployments.ts';
import { pickyOutcomes } from './testing/picky-outcomes.ts';

const ofOthers: readonly RequirementId[] = [
  'auth.scopes.update-agent-accepts-admin',
  'auth.scopes.update-agent-accepts-agents-update',
  'auth.scopes.update-agent-refuses-others-403',
  'auth.public-agent.open-when-public',
  'versions.listed.accepted-everywhere',
  'versions.unknown.has-no-effect',
  'naming.texts.repeated-spaces-unchanged',
];

test.concurrent.each(
  Object.entries(picky).flatMap(([what, { refuses }]) =>
    [false, true].map((onlyDocumented) => ({
      what,
      refuses,
      onlyDocumented,
      how: onlyDocumented ? 'without deletions' : 'with deletions',
    })),
  ),
)('$what, $how', async ({ refuses, onlyDocumented }) => {
  const outcomes = await pickyOutcomes(refuses, ofOthers, { onlyDocumented, isQuick: true });
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-tried')).toEqual([]);
});

/** Those that the mock accepts. */
const samples = {
  vpcSpec: { region: 'local' },
  agentSpec: { runtime: { memory: 2048 } },
  variables: { APP_ONE: 'one', APP_TWO: 'two', APP_THREE: 'three' },
  triggerPath: '/hooks',
  callbackUrl: 'https://hooks.example.com/calls',
  mountPath: '/data',
};

test.concurrent.each(Object.entries(broken))(
  'a deployment that %s fails, also with samples',
  async (_, [refuses, rule]) => {
    const outcomes = await pickyOutcomes(refuses, [rule], { samples, onlyDocumented: true });
    expect(outcomes).toMatchObject([{ id: rule, verdict: 'failed' }]);
  },
);
