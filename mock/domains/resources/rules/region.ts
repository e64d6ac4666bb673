/** Regions: their names, and kinds that cannot change their region. */
import { invalidField } from '../../../http/problems.ts';
import { stringMember, type Rule } from './rule.ts';

const REGION = /^[a-z0-9-]{1,63}$/;

/** Regions are part of the host names of sandboxes. */
export const checkRegion: Rule = ({ spec }) => {
  const region = stringMember(spec, 'region');
  if (region !== undefined && !REGION.test(region)) {
    throw invalidField('spec.region', region, '1 to 63 lowercase letters, digits and hyphens');
  }
};

/** Default: the current region, or else the workspace's. */
export const regionStays: Rule = ({ spec, workspace, before }) => {
  const current = before?.spec['region'];
  const region = stringMember(spec, 'region') ?? current ?? workspace.region;
  if (before !== undefined && region !== current) {
    throw invalidField('spec.region', region, `${JSON.stringify(current)}, since the region cannot change`);
  }
  spec['region'] = region;
};
