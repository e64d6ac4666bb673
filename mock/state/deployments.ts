/** The deployment status of a resource, computed from the world's clock when it is read. */
import type { CoreEvent, DeploymentStatus } from '../../spec/generated/types.ts';
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

/** One deployment, as plain data. */
export interface Deployment {
  readonly course: Course;
  readonly revision: string;
  readonly canaryRevision?: string;
  readonly startedAt: Instant;
  /** The container image that this revision runs. */
  readonly image?: string;
  /** The revision that keeps serving until this deployment is complete; absent if none did. */
  readonly replaces?: { readonly image?: string };
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
  if (last === undefined || (last.course !== 'deploy' && last.course !== 'provision')) return false;
  return last.replaces !== undefined || phaseAt(last, now)?.status === 'DEPLOYED';
}

/** The instant after which status and events no longer change; Infinity during a deletion. */
export function restsAt(deployments: readonly Deployment[]): Instant {
  const last = deployments.at(-1);
  if (last === undefined) return -Infinity;
  const lasts = courses[last.course]
    .filter(({ lastsMs }) => lastsMs !== Infinity)
    .reduce((sum, { lastsMs }) => sum + lastsMs, 0);
  return last.course === 'delete' ? Infinity : last.startedAt + lasts;
}

/** The images that the deployments of a resource use. */
export function imagesInUse(deployments: readonly Deployment[], now: Instant): string[] {
  const last = deployments.at(-1);
  const phase = last && phaseAt(last, now);
  if (last === undefined || phase === undefined || phase.status === 'DEACTIVATED') return [];
  const images = phase.lastsMs === Infinity ? [last.image] : [last.image, last.replaces?.image];
  return images.filter((image) => image !== undefined);
}

/** Appends a deployment that begins now; drops those whose events are no longer listed. */
export function withDeployment(
  past: readonly Deployment[],
  next: Pick<Deployment, 'course' | 'revision' | 'canaryRevision' | 'startedAt' | 'image'>,
): Deployment[] {
  const image = past.at(-1)?.image;
  const serves = servesAt(past, next.startedAt);
  const begun: Deployment = serves ? { ...next, replaces: image === undefined ? {} : { image } } : next;
  return [...past.slice(1 - MAX_EVENTS), begun];
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
  let time = deployment.startedAt;
  for (const [index, { status, message, lastsMs }] of courses[deployment.course].entries()) {
    // The first event stays even if the clock was set back to before it.
    if (index > 0 && (time > now || time >= overtakenAt)) return;
    events.push(eventOf(deployment, status, message, time));
    time += lastsMs;
  }
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

function phaseAt({ course, startedAt }: Deployment, now: Instant): Phase | undefined {
  let endsAt = startedAt;
  for (const phase of courses[course]) {
    endsAt += phase.lastsMs;
    if (now < endsAt) return phase;
  }
  return undefined;
}
