/** Revisions that an agent names must be its own. */
import type { AgentSpec } from '../../../../spec/generated/types.ts';
import { invalidField } from '../../../http/problems.ts';
import type { Rule } from './rule.ts';

/** A revision stays valid while an update repeats it, even if its deployment is no longer listed. */
export const checkRevisions: Rule = ({ spec, before }) => {
  const { revision = {} } = spec as AgentSpec;
  const previous = (before?.spec as AgentSpec | undefined)?.revision ?? {};
  const known = new Set((before?.deployments ?? []).map((deployment) => deployment.revision));
  for (const name of ['active', 'canary'] as const) {
    const id = revision[name];
    if (id === undefined || id === '' || known.has(id) || id === previous[name]) continue;
    const allowed = known.size === 0 ? 'none, since the agent has no revisions yet' : [...known].join(', ');
    throw invalidField(`spec.revision.${name}`, id, allowed);
  }
};
