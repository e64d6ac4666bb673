/** The deployment status of a resource, computed from the world's clock when it is read. */
import type { CoreEvent, DeploymentStatus } from '../../spec/generated/types.ts';
import type { JsonObject } from '../http/json-object.ts';
import { timestamp, type Instant } from '../time/clock.ts';

interface Phase {
  readonly status: DeploymentStatus;
  /** Infinity for the last phase. */
  readonly lastsMs: number;
  readonly message: string;
}

/** The phases of each kind of deployment, in order. */
export const courses = {
  deploy: [
    { status: 'UPLOADING', lastsMs: 100, message: 'The source is being uploaded.' },
    { status: 'BUILDING', lastsMs: 400, message: 'The image is being built.' },
    { status: 'BUILT', lastsMs: 100, message: 'The image is built.' },
    { status: 'DEPLOYING', lastsMs: 400, message: 'The revision is being deployed.' },
    { status: 'DEPLOYED', lastsMs: Infinity, message: 'The revision is deployed.' },
  ],
  /** For kinds without a build: volumes, networks, domains. */
  provision: [
    { status: 'DEPLOYING', lastsMs: 400, message: 'The resource is being provisioned.' },
    { status: 'DEPLOYED', lastsMs: Infinity, message: 'The resource is ready.' },
  ],
  deactivate: [
    { status: 'DEACTIVATING', lastsMs: 300, message: 'The revision is being deactivated.' },
    { status: 'DEACTIVATED', lastsMs: Infinity, message: 'The revision is deactivated.' },
  ],
  delete: [
    { status: 'DELETING', lastsMs: 400, message: 'The resource is being deleted.' },
    { status: 'TERMINATED', lastsMs: 200, message: 'The resource is deleted.' },
  ],
} as const satisfies Record<string, readonly Phase[]>;

export type Course = keyof typeof courses;

/** The phases that a deployment can fail in, and whose duration a world can set. */
export type PhaseName = Exclude<(typeof courses)[Course][number]['status'], 'DEPLOYED' | 'DEACTIVATED'>;

/** The end of a deployment that did not go through all phases of its course. */
export interface Ending {
  readonly status: 'DEPLOYED' | 'FAILED';
  readonly at: Instant;
  readonly message: string;
}

/** Something that happened to a resource which the revision uses. */
export interface Incident {
  readonly at: Instant;
  /** Collection and name of that resource: `volumes/data`. */
  readonly cause: string;
  readonly message: string;
  /** Whether the revision fails; otherwise it only has an event. */
  readonly isFatal: boolean;
}

/** What a revision runs. */
interface Revision {
  /** The container image. */
  readonly image?: string;
  /** `spec.runtime` when it was deployed: changes apply at the next deployment. */
  readonly runtime?: JsonObject;
  /** Names of the volumes that it mounts. */
  readonly volumes?: readonly string[];
}

/** A revision that serves until another one is deployed. */
interface ReplacedRevision extends Revision {
  /** It does not serve from then on, because one of its volumes failed. */
  readonly lostAt?: Instant;
}

/** One deployment, as plain data. */
export interface Deployment extends Revision {
  readonly course: Course;
  readonly revision: string;
  readonly canaryRevision?: string;
  readonly startedAt: Instant;
  /** The revision that keeps serving until this deployment is complete, and if it fails; absent if none did. */
  readonly replaces?: ReplacedRevision;
  /** Milliseconds of phases that differ from the course. */
  readonly durations?: Readonly<Partial<Record<PhaseName, number>>>;
  /** Absent if it ends with the last phase of its course. */
  readonly ending?: Ending;
  /** In order of time; nothing follows a fatal one. */
  readonly incidents?: readonly Incident[];
}

/** How many of its newest events a resource has. */
export const MAX_EVENTS = 10;

/** Undefined once a deletion is complete. */
export function statusAt(deployments: readonly Deployment[], now: Instant): DeploymentStatus | undefined {
  const last = deployments.at(-1);
  return last && phaseAt(last, now)?.status;
}

/** Whether the deletion of a resource is complete. */
export function isGone(deployments: readonly Deployment[], now: Instant): boolean {
  const last = deployments.at(-1);
  return last?.course === 'delete' && phaseAt(last, now) === undefined;
}

export function isBeingDeleted(deployments: readonly Deployment[]): boolean {
  return deployments.at(-1)?.course === 'delete';
}

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

/** Whether it was never deployed. One that failed later, because of a resource that it uses, was. */
export function hasFailed(deployment: Deployment, now: Instant): boolean {
  return phaseAt(deployment, now)?.status === 'FAILED' && deployedAt(deployment) === undefined;
}

/** When its revision begins to run, if nothing prevents it; undefined if it fails before. */
export function runsFrom(deployment: Deployment): Instant | undefined {
  const { ending } = deployment;
  if (ending?.status === 'FAILED') return undefined;
  return ending?.at ?? endOf(deployment, 'DEPLOYING');
}

/** The same, but undefined also if a volume cannot be mounted then. */
export function deployedAt(deployment: Deployment): Instant | undefined {
  const from = runsFrom(deployment);
  const lostAt = fatalOf(deployment)?.at ?? Infinity;
  return from !== undefined && from < lostAt ? from : undefined;
}

/** The incident because of which it fails. */
export function fatalOf({ incidents }: Pick<Deployment, 'incidents'>): Incident | undefined {
  return incidents?.findLast(({ isFatal }) => isFatal);
}

/** Ids of the revisions that have been deployed, oldest first. */
export function deployedRevisions(deployments: readonly Deployment[], now: Instant): string[] {
  return deployments
    .filter((deployment, index) => {
      const until = Math.min(now, deployments[index + 1]?.startedAt ?? Infinity);
      return deployment.course === 'deploy' && (deployedAt(deployment) ?? Infinity) <= until;
    })
    .map(({ revision }) => revision);
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

function withRuntime({ runtime: _latest, ...spec }: JsonObject, { runtime }: Revision): JsonObject {
  return runtime === undefined ? spec : { ...spec, runtime };
}

/** The instant after which status and events no longer change; Infinity during a deletion. */
export function restsAt(deployments: readonly Deployment[]): Instant {
  return Math.max(newestEndsAt(deployments), deployments.at(-1)?.incidents?.at(-1)?.at ?? -Infinity);
}

/** When the newest deployment is complete or has failed; Infinity during a deletion. */
export function newestEndsAt(deployments: readonly Deployment[]): Instant {
  const last = deployments.at(-1);
  if (last === undefined) return -Infinity;
  if (last.course === 'delete') return Infinity;
  return last.ending?.at ?? endOf(last, finalPhase(last.course));
}

function finalPhase(course: Course): DeploymentStatus | undefined {
  return courses[course].at(-2)?.status;
}

/** When a phase of a deployment ends. `status`: a phase of its course; undefined: the first instant. */
export function endOf(
  deployment: Pick<Deployment, 'course' | 'startedAt' | 'durations'>,
  status?: DeploymentStatus,
): Instant {
  let end = deployment.startedAt;
  if (status === undefined) return end;
  for (const phase of courses[deployment.course]) {
    end += durationOf(deployment, phase);
    if (phase.status === status) break;
  }
  return end;
}

function durationOf({ durations }: Pick<Deployment, 'durations'>, { status, lastsMs }: Phase): number {
  return durations?.[status as PhaseName] ?? lastsMs;
}

/** Ends the newest deployment now. A revision that was deployed before does not serve afterwards if `status` is FAILED. */
export function withEnding(deployments: readonly Deployment[], ending: Ending): Deployment[] {
  const last = deployments.at(-1);
  if (last === undefined) return [];
  const { replaces, incidents = [], ...rest } = last;
  const wasDeployed = phaseAt(last, ending.at)?.status === 'DEPLOYED';
  const past = incidents.filter(({ at, isFatal }) => !isFatal && at <= ending.at);
  const ended: Deployment = {
    ...rest,
    ...(!wasDeployed && replaces !== undefined && { replaces }),
    ...(past.length > 0 && { incidents: past }),
    ending,
  };
  return [...deployments.slice(0, -1), ended];
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

/** Appends a deployment that begins now; drops those whose events are no longer listed, except the newest that was deployed. */
export function withDeployment(past: readonly Deployment[], next: Omit<Deployment, 'replaces'>): Deployment[] {
  const last = past.at(-1);
  if (last === undefined) return [next];
  const replaces = servingRevision(last, next.startedAt);
  const begun: Deployment = replaces === undefined ? next : { ...next, replaces };
  const kept = past.slice(1 - MAX_EVENTS);
  const deployed = deployedRevisions(past, next.startedAt).at(-1);
  const isKept = deployed === undefined || kept.some(({ revision }) => revision === deployed);
  const serving = isKept ? [] : past.filter(({ revision }) => revision === deployed).slice(0, 1);
  return [...serving, ...kept, begun];
}

/** Oldest first. A deployment has no further events once the next one begins. */
export function eventsAt(deployments: readonly Deployment[], now: Instant): CoreEvent[] {
  const events: CoreEvent[] = [];
  for (const [index, deployment] of deployments.entries()) {
    addEvents(events, deployment, deployments[index + 1]?.startedAt ?? Infinity, now);
  }
  return events.length > MAX_EVENTS ? events.slice(-MAX_EVENTS) : events;
}

function addEvents(events: CoreEvent[], deployment: Deployment, overtakenAt: Instant, now: Instant): void {
  const { ending, incidents = [], startedAt, course } = deployment;
  const until = Math.min(overtakenAt, ending?.at ?? Infinity, fatalOf(deployment)?.at ?? Infinity);
  const first = events.length;
  let time = startedAt;
  for (const [index, phase] of courses[course].entries()) {
    // The first event stays even if the clock was set back to before it.
    if (index > 0 && (time > now || time >= until)) break;
    events.push(eventOf(deployment, phase.status, phase.message, time));
    time += durationOf(deployment, phase);
  }
  if (ending !== undefined && ending.at <= now && ending.at < overtakenAt)
    events.push(eventOf(deployment, ending.status, ending.message, ending.at));
  for (const { at, message, isFatal } of incidents) {
    if (at > now || at >= overtakenAt) break;
    const status = isFatal ? 'FAILED' : (phaseAt(deployment, at)?.status ?? 'FAILED');
    insert(events, first, eventOf(deployment, status, message, at));
  }
}

/** Inserts an event among those of its deployment, from `first` on, in order of time. */
function insert(events: CoreEvent[], first: number, event: CoreEvent): void {
  const later = events.findIndex(({ time = '' }, index) => index >= first && time > (event.time ?? ''));
  events.splice(later === -1 ? events.length : later, 0, event);
}

function eventOf(
  { course, revision, canaryRevision }: Deployment,
  status: DeploymentStatus,
  message: string,
  at: Instant,
): CoreEvent {
  const event = { type: course, status, message, revision, time: timestamp(at) };
  return canaryRevision === undefined ? event : { ...event, canaryRevision };
}

function phaseAt(deployment: Deployment, now: Instant): Phase | undefined {
  const { course, startedAt, ending } = deployment;
  const fatal = fatalOf(deployment);
  if (fatal !== undefined && now >= fatal.at) return { status: 'FAILED', message: fatal.message, lastsMs: Infinity };
  if (ending !== undefined && now >= ending.at) return { ...ending, lastsMs: Infinity };
  let endsAt = startedAt;
  for (const phase of courses[course]) {
    endsAt += durationOf(deployment, phase);
    if (now < endsAt) return phase;
  }
  return undefined;
}
