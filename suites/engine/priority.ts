/** Which requests a run sends before others that wait. */
import type { RequirementId } from '../../spec/requirements/index.ts';
import { mayChangeTarget } from '../../spec/requirements/requirement.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Priority } from '../target/gate.ts';
import type { Target } from '../target/target.ts';
import { usedResources } from './locks.ts';

/** Their cases send some requests at the same time, whatever `--concurrency` is. */
const simultaneous: readonly RequirementId[] = [
  'agents.update.any-sequence-follows-the-model',
  'inference.agents.threads-separate',
  'mcp.functions.speaks-streamable-http',
  'mcp.sandboxes.speaks-streamable-http',
  'metrics.answer.shape-and-echo',
  'naming.name.unique-in-workspace',
  'oauth.code.good-once',
  'sandbox.tree.write-keeps-others',
  'sandboxes.preview-tokens.deleted-once',
];

/** Each of their requests needs the response before it, many times in a row. */
const chains: readonly RequirementId[] = [
  'metrics.pagination.every-group-once',
  'metrics.pagination.cursor-repeatable',
];

export function priorityOf(rule: Requirement, target: Target): Priority {
  if (simultaneous.some((id) => id === rule.id)) return 'at once';
  const isChain = chains.some((id) => id === rule.id);
  // Other cases wait until it has ended, or its inputs wait for each other.
  return isChain || usedResources(rule, target).length > 0 || mayChangeTarget(rule) ? 'urgent' : 'normal';
}
