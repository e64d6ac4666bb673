/** Which revision of an agent responds to a request: the active one, or the canary for its share of the requests. */
import type { AgentSpec } from '../../../spec/generated/types.ts';
import { mainRevision, specOfRevision } from '../../state/revisions.ts';
import { drawWhether } from '../../state/lifecycles.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { runningCanary } from '../resources/canaries.ts';
import type { Workload } from '../resources/workloads.ts';

/** More are dropped, the oldest first. */
const MAX_SESSIONS = 10_000;

/**
 * The id of the revision that responds; the newest one if the active one was never deployed. `session` identifies the client
 * of a sticky session (`stickySessionTtl` seconds from its first request). Draws from the world's seed only if there is a canary
 * with a share between 0 and 100.
 */
export function chooseRevision(
  world: WorldState,
  { workspace, resource: agent }: Workload,
  session: string | undefined,
): string {
  const { spec, deployments } = agent;
  const { canaryPercent = 0, stickySessionTtl = 0 } = (spec as AgentSpec).revision ?? {};
  const now = world.clock.now();
  const main = mainRevision(spec, deployments, now) ?? '';
  const canary = runningCanary(world, workspace, agent, now)?.revision;
  if (canary === undefined) return main;
  const draw = (): string => (drawWhether(canaryPercent / 100, world.random) ? canary : main);
  if (stickySessionTtl <= 0 || session === undefined) return draw();
  return stickyRevision(world, `${agent.uuid}/${session}`, [main, canary], { draw, seconds: stickySessionTtl });
}

/** The agent with the runtime of one of its revisions, which is what a request to that revision is billed for. */
export function ofRevision(agent: Resource, revision: string): Resource {
  return { ...agent, spec: specOfRevision(agent.spec, agent.deployments, revision) };
}

function stickyRevision(
  { lifecycles: { sessions }, clock }: WorldState,
  key: string,
  revisions: readonly string[],
  { draw, seconds }: { readonly draw: () => string; readonly seconds: number },
): string {
  const known = sessions[key];
  if (known !== undefined && clock.now() < known.until && revisions.includes(known.revision)) return known.revision;
  const revision = draw();
  // Deleted first, so that the keys are in order of creation.
  delete sessions[key];
  sessions[key] = { revision, until: clock.now() + seconds * 1000 };
  const [oldest] = Object.keys(sessions).length > MAX_SESSIONS ? Object.keys(sessions) : [];
  if (oldest !== undefined) delete sessions[oldest];
  return revision;
}
