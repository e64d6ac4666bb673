/** The deployment status of a resource, computed from the world's clock when it is read. */
import type { DeploymentStatus } from '../../spec/generated/types.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import type { Instant } from '../time/clock.ts';

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
export interface Revision {
  /** The container image. */
  readonly image?: string;
  /** `spec.runtime` when it was deployed: changes apply at the next deployment. */
  readonly runtime?: JsonObject;
  /** Names of the volumes that it mounts. */
  readonly volumes?: readonly string[];
}

/** A revision that serves until another one is deployed. */
export interface ReplacedRevision extends Revision {
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

export function durationOf({ durations }: Pick<Deployment, 'durations'>, { status, lastsMs }: Phase): number {
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

export function phaseAt(deployment: Deployment, now: Instant): Phase | undefined {
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
