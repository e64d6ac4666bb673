/** The canary of an agent: a revision that gets its share of the requests while it can run. */
import type { AgentSpec } from '../../../spec/generated/types.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { Deployment } from '../../state/deployments.ts';
import type { Resource } from '../../state/resources.ts';
import { canaryDeployment, respondingSpec, specOfRevision } from '../../state/revisions.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Instant } from '../../time/clock.ts';
import { revisionLostAt } from './incidents.ts';

/** When it cannot run any more, because a volume that it mounts has failed; undefined if it can. */
export function canaryLostAt(
  world: WorldState,
  workspace: Workspace,
  { spec, deployments }: Resource,
): Instant | undefined {
  return revisionLostAt(world, workspace, canaryDeployment(spec, deployments) ?? {});
}

/**
 * The spec of an agent with the runtime of the revision that responds when no share is drawn: of a canary that gets all requests,
 * otherwise of the active revision or the newest one; as it is if none does.
 */
export function respondingSpecOf(world: WorldState, workspace: Workspace, agent: Resource, at: Instant): JsonObject {
  const { spec, deployments } = agent;
  const { canaryPercent = 0 } = (spec as AgentSpec).revision ?? {};
  const canary = canaryPercent >= 100 ? runningCanary(world, workspace, agent, at) : undefined;
  return canary === undefined
    ? respondingSpec(spec, deployments, at)
    : specOfRevision(spec, deployments, canary.revision);
}

/** Undefined if there is none, if it has no share of the requests, or if it cannot run. */
export function runningCanary(
  world: WorldState,
  workspace: Workspace,
  agent: Resource,
  at: Instant,
): Deployment | undefined {
  const isLost = at >= (canaryLostAt(world, workspace, agent) ?? Infinity);
  return isLost ? undefined : canaryDeployment(agent.spec, agent.deployments);
}
