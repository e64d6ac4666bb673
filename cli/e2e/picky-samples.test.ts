/** Samples of the target file replace what a run makes up, in every request that has it. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyOutcomes } from './testing/picky-outcomes.ts';
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
  const outcomes = await pickyOutcomes(refuses, ['agents.update.round-trip', 'agents.triggers.ids-distinct'], {
    runs: 4,
  });
  expect(outcomes.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  for (const { reason } of outcomes) expect(reason).toContain('samples.agentSpec');
});
