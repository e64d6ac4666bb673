/** The cases that begin first, because others wait for what they do, or because they take longest. */
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';

const firstCases: readonly RequirementId[] = [
  // Shows whether the target removes agents: then the run creates more of them, for cases that run at the same time.
  'agents.runtime.empty-generation',
  // They run one after the other, because two of them use all places for watches.
  'sandbox.watch.watchers-independent',
  'sandbox.watch.only-its-directory',
  'sandbox.watch.every-write-a-line',
  // The longest in a run against the mock.
  'agents.update.round-trip',
  'agents.enabled.false-does-not-serve',
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
  'auth.public-agent.closed-again',
  'resources.envelope.metadata-and-spec',
  'agents.update.any-sequence-follows-the-model',
  'metrics.pagination.every-group-once',
  'metrics.filters.filter-is-the-slice',
  'metrics.sums.past-is-stable',
];

/** From 0; the same for all cases that are not listed, which come last. */
export function rankOf(rule: Requirement): number {
  const rank = firstCases.findIndex((id) => id === rule.id);
  return rank === -1 ? firstCases.length : rank;
}
