/** Which revision of a resource serves requests, and what it runs. */
import { isObject, type JsonObject } from '../../spec/json-object.ts';
import type { Instant } from '../time/clock.ts';
import {
  MAX_EVENTS,
  courses,
  deployedAt,
  endOf,
  fatalOf,
  phaseAt,
  type Deployment,
  type ReplacedRevision,
  type Revision,
} from './deployments.ts';

/** Whether a revision serves requests: the newest, or the one it replaces while it is being deployed. */
export function servesAt(deployments: readonly Deployment[], now: Instant): boolean {
  const last = deployments.at(-1);
  return last !== undefined && servingRevision(last, now) !== undefined;
}

/** The times at which it serves, from `from` (inclusive) to `to` (exclusive), in order. */
export function servingSpans(
  deployments: readonly Deployment[],
  from: Instant,
  to: Instant,
): { readonly start: Instant; readonly end: Instant }[] {
  const last = deployments.at(-1);
  if (last === undefined) return [];
  const changes = [
    last.startedAt,
    last.ending?.at ?? to,
    last.replaces?.lostAt ?? to,
    ...(last.incidents ?? []).map(({ at }) => at),
    ...courses[last.course].map(({ status }) => endOf(last, status)),
  ];
  const edges = [from, ...changes.filter((at) => at > from && at < to).toSorted((a, b) => a - b), to];
  return edges
    .slice(0, -1)
    .map((start, index) => ({ start, end: edges[index + 1] ?? to }))
    .filter(({ start, end }) => start < end && servesAt(deployments, start));
}

/** Ids of the revisions that have been deployed, oldest first. */
export function deployedRevisions(deployments: readonly Deployment[], now: Instant): string[] {
  return deployments.filter((_, index) => wasDeployed(deployments, index, now)).map(({ revision }) => revision);
}

/** Whether the deployment at an index was complete before the next one began. */
function wasDeployed(deployments: readonly Deployment[], index: number, now: Instant): boolean {
  const deployment = deployments[index];
  if (deployment?.course !== 'deploy') return false;
  const until = Math.min(now, deployments[index + 1]?.startedAt ?? Infinity);
  return (deployedAt(deployment) ?? Infinity) <= until;
}

/** The revision of a deployment that serves requests, which may be the one it replaces; undefined if none does. */
function servingRevision(deployment: Deployment, now: Instant): ReplacedRevision | undefined {
  const { course, image, runtime, volumes, replaces } = deployment;
  if (course !== 'deploy' && course !== 'provision') return undefined;
  if (phaseAt(deployment, now)?.status !== 'DEPLOYED') {
    const hasTakenOver = (deployedAt(deployment) ?? Infinity) <= now;
    return hasTakenOver || now >= (replaces?.lostAt ?? Infinity) ? undefined : replaces;
  }
  const lostAt = fatalOf(deployment)?.at;
  return {
    ...(image !== undefined && { image }),
    ...(runtime !== undefined && { runtime }),
    ...(volumes !== undefined && { volumes }),
    ...(lostAt !== undefined && { lostAt }),
  };
}

/** The spec of a resource with the runtime of the revision that serves; as it is if none does. */
export function servedSpec(spec: JsonObject, deployments: readonly Deployment[], now: Instant): JsonObject {
  const last = deployments.at(-1);
  const serving = last && servingRevision(last, now);
  return serving === undefined ? spec : withRuntime(spec, serving);
}

/** The spec of a resource with the runtime of one of its revisions; as it is if the revision is no longer listed. */
export function specOfRevision(spec: JsonObject, deployments: readonly Deployment[], id: string): JsonObject {
  const revision = deployments.findLast((each) => each.course === 'deploy' && each.revision === id);
  return revision === undefined ? spec : withRuntime(spec, revision);
}

/** The deployment of the revision that `spec.revision.active` of an agent names; undefined if it was never deployed. */
export function activeDeployment(spec: JsonObject, deployments: readonly Deployment[]): Deployment | undefined {
  return deployedRevision(revisionsOf(spec).active, deployments);
}

/** The same of `spec.revision.canary`; undefined also if it gets no share of the requests. */
export function canaryDeployment(spec: JsonObject, deployments: readonly Deployment[]): Deployment | undefined {
  const { canary, canaryPercent } = revisionsOf(spec);
  return typeof canaryPercent === 'number' && canaryPercent > 0 ? deployedRevision(canary, deployments) : undefined;
}

/** The id of the revision that responds without a canary: the active or else the newest one; undefined if none was deployed. */
export function mainRevision(spec: JsonObject, deployments: readonly Deployment[], now: Instant): string | undefined {
  return activeDeployment(spec, deployments)?.revision ?? deployedRevisions(deployments, now).at(-1);
}

function revisionsOf({ revision }: JsonObject): JsonObject {
  return isObject(revision) ? revision : {};
}

function deployedRevision(id: unknown, deployments: readonly Deployment[]): Deployment | undefined {
  if (id === undefined) return undefined;
  return deployments.find(({ revision }, index) => revision === id && wasDeployed(deployments, index, Infinity));
}

/** The spec of an agent with the runtime of the revision that responds without a canary; as it is if none does. */
export function respondingSpec(spec: JsonObject, deployments: readonly Deployment[], now: Instant): JsonObject {
  const active = activeDeployment(spec, deployments);
  return active === undefined ? servedSpec(spec, deployments, now) : withRuntime(spec, active);
}

function withRuntime({ runtime: _latest, ...spec }: JsonObject, { runtime }: Revision): JsonObject {
  return runtime === undefined ? spec : { ...spec, runtime };
}

/** The volumes of the revision that serves requests. */
export function servedVolumes(deployments: readonly Deployment[], now: Instant): readonly string[] {
  const last = deployments.at(-1);
  return (last && servingRevision(last, now)?.volumes) ?? [];
}

/** The images that the deployments of a resource use. */
export function imagesInUse(deployments: readonly Deployment[], now: Instant): string[] {
  const last = deployments.at(-1);
  const phase = last && phaseAt(last, now);
  if (last === undefined || phase === undefined || phase.status === 'DEACTIVATED') return [];
  const { image, replaces } = last;
  const images =
    phase.status === 'DEPLOYED' ? [image] : [phase.status === 'FAILED' ? undefined : image, replaces?.image];
  return images.filter((each) => each !== undefined);
}

/**
 * Appends a deployment that begins now; drops those whose events are no longer listed, except the newest that was deployed, and
 * those that the spec names as active or canary.
 */
export function withDeployment(
  past: readonly Deployment[],
  next: Omit<Deployment, 'replaces'>,
  spec: JsonObject = {},
): Deployment[] {
  const last = past.at(-1);
  if (last === undefined) return [next];
  const replaces = servingRevision(last, next.startedAt);
  const begun: Deployment = replaces === undefined ? next : { ...next, replaces };
  const { active, canary } = revisionsOf(spec);
  const isNeeded = ({ revision }: Deployment): boolean => revision === active || revision === canary;
  const deployed = past.filter((_, index) => wasDeployed(past, index, next.startedAt));
  const needed = [deployed.at(-1), ...deployed.filter(isNeeded)];
  return [...past.filter((each, index) => index > past.length - MAX_EVENTS || needed.includes(each)), begun];
}
