/** The events of a resource's deployments, computed from the world's clock when they are read. */
import type { CoreEvent, DeploymentStatus } from '../../spec/generated/types.ts';
import { timestamp, type Instant } from '../time/clock.ts';
import { MAX_EVENTS, courses, durationOf, fatalOf, phaseAt, type Deployment } from './deployments.ts';

/** Oldest first. A deployment has no further events once the next one begins. */
export function eventsAt(deployments: readonly Deployment[], now: Instant): CoreEvent[] {
  const events: CoreEvent[] = [];
  deployments.forEach((deployment, index) => {
    addEvents(events, deployment, deployments[index + 1]?.startedAt ?? Infinity, now);
  });
  return events.length > MAX_EVENTS ? events.slice(-MAX_EVENTS) : events;
}

function addEvents(events: CoreEvent[], deployment: Deployment, overtakenAt: Instant, now: Instant): void {
  const { ending, incidents = [], startedAt, course } = deployment;
  const until = Math.min(overtakenAt, ending?.at ?? Infinity, fatalOf(deployment)?.at ?? Infinity);
  const first = events.length;
  let time = startedAt;
  for (const phase of courses[course]) {
    // The first event stays even if the clock was set back to before it.
    if (events.length > first && (time > now || time >= until)) break;
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
