/** Revisions that a workload names must be its own. */
import { invalidField } from '../../../http/problems.ts';
import { isObject } from '../../../http/json-object.ts';
import { hasFailed } from '../../../state/deployments.ts';
import type { Rule } from './rule.ts';

/** Not those whose deployment failed. A revision stays valid while updates repeat it, even if its deployment is no longer listed. */
export const checkRevisions: Rule = ({ spec, before, at }) => {
  const { revision } = spec;
  if (!isObject(revision)) return;
  const earlier = before?.spec['revision'];
  const previous = isObject(earlier) ? earlier : {};
  const known = new Set<unknown>(
    (before?.deployments ?? []).filter((each) => !hasFailed(each, at)).map((each) => each.revision),
  );
  for (const name of ['active', 'canary'] as const) {
    const id = revision[name];
    if (id === undefined || id === '' || known.has(id) || id === previous[name]) continue;
    const allowed = known.size === 0 ? 'none, since it has no revisions yet' : [...known].join(', ');
    throw invalidField(`spec.revision.${name}`, id, allowed);
  }
};
