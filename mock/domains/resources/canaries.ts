/** The canary of an agent: a revision that gets its share of the requests while it can run. */
import type { Workspace } from '../../state/accounts.ts';
import type { Deployment } from '../../state/deployments.ts';
import type { Resource } from '../../state/resources.ts';
import { canaryDeployment } from '../../state/revisions.ts';
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
