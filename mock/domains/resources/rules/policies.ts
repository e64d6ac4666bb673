/** The policies that a workload names must exist in its workspace. */
import { invalidField } from '../../../http/problems.ts';
import { findResource } from '../../../state/resources.ts';
import type { Rule } from './rule.ts';

export const checkPolicies: Rule = ({ world, workspace, spec }) => {
  const { policies = [] } = spec;
  if (!Array.isArray(policies)) throw invalidField('spec.policies', policies, 'a list of names of policies');
  for (const [index, name] of (policies as readonly unknown[]).entries()) {
    if (typeof name === 'string' && findResource(world, `${workspace.name}/policies`, name) !== undefined) continue;
    throw invalidField(`spec.policies[${index}]`, name, `a policy of workspace ${workspace.name}`);
  }
};
