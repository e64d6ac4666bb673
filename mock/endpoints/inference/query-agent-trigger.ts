/** Calls an agent through one of its HTTP triggers; an async trigger only accepts the request. */
import type { AgentSpec, Trigger } from '../../../spec/generated/types.ts';
import type { OptionalAuthEndpoint } from '../endpoint.ts';
import { respondAsAgent } from '../../domains/inference/agent-response.ts';
import { acceptRequest } from '../../domains/inference/async-requests.ts';
import { chooseRevision } from '../../domains/inference/revisions.ts';
import { notServing } from '../../domains/resources/workloads.ts';
import { notFound } from '../../http/problems.ts';
import { trimSlashes } from '../../http/trim-slashes.ts';
import type { Resource } from '../../state/resources.ts';
import { findAccessibleAgent, sessionOf, threadOf } from './open-agent.ts';
import { respondNow } from './query-agent.ts';

export const queryAgentTrigger: OptionalAuthEndpoint<'queryAgentTrigger'> = (call) => {
  const { world, path } = call;
  const workload = findAccessibleAgent(call);
  const trigger = triggerAt(workload.resource, path.triggerPath);
  if (trigger.enabled === false) throw notServing(`Trigger "${trigger.id}" of agent "${path.agent}" is disabled`);
  if (trigger.type !== 'http-async') return respondNow(call, workload, trigger.id);
  const { inputs } = call.body;
  world.instances.requireAdmission(world, workload);
  const revision = chooseRevision(world, workload, sessionOf(call));
  const agentResponse = respondAsAgent(world, workload, inputs, threadOf(call));
  const body = acceptRequest(world, { workload, trigger, inputs, revision, ...agentResponse });
  return { status: 202, headers: { 'x-mock-revision': revision }, body };
};

/** Throws notFound. Cron triggers have a schedule instead of an address. */
function triggerAt({ name, spec }: Resource, path: string): Trigger {
  const { triggers = [] } = spec as AgentSpec;
  const reachable = triggers.filter(({ type }) => type !== 'cron');
  const found = reachable.find((trigger) => addressOf(trigger) === path);
  if (found === undefined) throw notFound(`Of agent "${name}" the trigger`, path);
  return found;
}

/** Its path without leading and trailing slashes, or its id if it has no path. */
function addressOf({ id, configuration }: Trigger): string | undefined {
  const path = trimSlashes(configuration?.path ?? '');
  return path === '' ? id : path;
}
