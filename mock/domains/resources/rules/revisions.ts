/** Revisions that a workload names must be its own. */
import { invalidField } from '../../../http/problems.ts';
import { isObject } from '../../../../spec/json-object.ts';
import { hasFailed } from '../../../state/deployments.ts';
import type { Rule } from './rule.ts';
import { wasRemoved } from './image.ts';
import { regionOfVolume } from './volumes.ts';

/**
 * Not those whose deployment failed, or whose volumes or image were deleted. A revision stays valid while updates repeat it,
 * even if its deployment is no longer listed.
 */
export const checkRevisions: Rule = (write) => {
  const { spec, before, at } = write;
  const { revision } = spec;
  if (!isObject(revision)) return;
  const earlier = before?.spec['revision'];
  const previous = isObject(earlier) ? earlier : {};
  const known = new Set<unknown>(
    (before?.deployments ?? []).filter((each) => !hasFailed(each, at)).map((each) => each.revision),
  );
  for (const name of ['active', 'canary'] as const) {
    const id = revision[name];
    if (id === undefined || id === '' || id === previous[name]) continue;
    const allowed = known.size === 0 ? 'none, since it has no revisions yet' : [...known].join(', ');
    if (!known.has(id)) throw invalidField(`spec.revision.${name}`, id, allowed);
    const { volumes = [], image } = before?.deployments.findLast((each) => each.revision === id) ?? {};
    const lost = volumes.find((volume) => regionOfVolume(write, volume) === undefined);
    if (lost !== undefined)
      throw invalidField(`spec.revision.${name}`, id, `a revision whose volumes exist; it mounts "${lost}"`);
    if (image !== undefined && wasRemoved(write, image))
      throw invalidField(`spec.revision.${name}`, id, `a revision whose image exists; it runs "${image}"`);
  }
};
