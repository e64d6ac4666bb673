/** What lives in one region for good: volumes and workspaces. */
import { invalidField } from '../../problems.ts';
import { textMember, type Rule } from './rule.ts';

/** Left out: where it is already, else the workspace's region. */
export const regionStays: Rule = ({ spec, workspace, before }) => {
  const current = before?.spec['region'];
  const region = textMember(spec, 'region') ?? current ?? workspace.region;
  if (before !== undefined && region !== current) {
    throw invalidField('spec.region', region, `${JSON.stringify(current)}, since it does not move`);
  }
  spec['region'] = region;
};
