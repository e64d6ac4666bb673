/** How the status of a resource moves on the world's clock: nothing is timed, everything is computed when it is read. */
import type { CoreEvent, DeploymentStatus } from '../../spec/generated/types.ts';
import { timestamp, type Instant } from '../time/clock.ts';

interface Phase {
  readonly status: DeploymentStatus;
  /** Infinity: the course rests here. */
  readonly lastsMs: number;
  readonly message: string;
}

/** The order of the statuses: each course runs from its first phase to its last. */
export const courses = {
  deploy: [
    { status: 'UPLOADING', lastsMs: 100, message: 'The source is being uploaded.' },
    { status: 'BUILDING', lastsMs: 400, message: 'The image is being built.' },
    { status: 'BUILT', lastsMs: 100, message: 'The image is built.' },
    { status: 'DEPLOYING', lastsMs: 400, message: 'The revision is being deployed.' },
    { status: 'DEPLOYED', lastsMs: Infinity, message: 'The revision is deployed.' },
  ],
  /** For what has nothing to build: volumes, networks, domains. */
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

/** Plain data: one run through a course. */
export interface Deployment {
  readonly course: Course;
  readonly revision: string;
  readonly canaryRevision?: string;
  readonly startedAt: Instant;
  /** The container image that this revision runs. */
  readonly image?: string;
  /** What served when this began, and goes on serving until it is through; absent where nothing did. */
  readonly replaces?: { readonly image?: string };
}

/** The newest records of a resource's past that are shown and kept. */
export const MAX_EVENTS = 10;

/** Undefined once a deletion is through. */
export function statusAt(deployments: readonly Deployment[], now: Instant): DeploymentStatus | undefined {
  const last = deployments.at(-1);
  return last && phaseAt(last, now)?.status;
}

/** Whether a resource has been deleted, and may be forgotten. */
export function isGone(deployments: readonly Deployment[], now: Instant): boolean {
  const last = deployments.at(-1);
  return last?.course === 'delete' && phaseAt(last, now) === undefined;
}

export function isBeingDeleted(deployments: readonly Deployment[]): boolean {
  return deployments.at(-1)?.course === 'delete';
}

/** Whether some revision takes requests: the newest one, or during its deployment the one that it replaces. */
export function servesAt(deployments: readonly Deployment[], now: Instant): boolean {
  const last = deployments.at(-1);
  if (last === undefined || (last.course !== 'deploy' && last.course !== 'provision')) return false;
  return last.replaces !== undefined || phaseAt(last, now)?.status === 'DEPLOYED';
}

/** From when on status and events stay as they are; Infinity while a deletion is on its way. */
export function restsAt(deployments: readonly Deployment[]): Instant {
  const last = deployments.at(-1);
  if (last === undefined) return -Infinity;
  const lasts = courses[last.course]
    .filter(({ lastsMs }) => lastsMs !== Infinity)
    .reduce((sum, { lastsMs }) => sum + lastsMs, 0);
  return last.course === 'delete' ? Infinity : last.startedAt + lasts;
}

/** The images that deployments of one resource hold on to. */
export function imagesInUse(deployments: readonly Deployment[], now: Instant): string[] {
  const last = deployments.at(-1);
  const phase = last && phaseAt(last, now);
  if (last === undefined || phase === undefined || phase.status === 'DEACTIVATED') return [];
  const images = phase.lastsMs === Infinity ? [last.image] : [last.image, last.replaces?.image];
  return images.filter((image) => image !== undefined);
}

/** The record of a course that begins now, and as much of the past as its events are still shown of. */
export function withDeployment(
  past: readonly Deployment[],
  next: Pick<Deployment, 'course' | 'revision' | 'canaryRevision' | 'startedAt' | 'image'>,
): Deployment[] {
  const image = past.at(-1)?.image;
  const serves = servesAt(past, next.startedAt);
  const begun: Deployment = serves ? { ...next, replaces: image === undefined ? {} : { image } } : next;
  return [...past.slice(1 - MAX_EVENTS), begun];
}

/** The newest last. A course that was overtaken by another stops where it stood. */
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
    // The first phase stands even when the clock has been set back to before it.
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
