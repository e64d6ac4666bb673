/** Consecutive updates of an agent in anybody's traffic, whose responses have times. */
import { hasSecondPrecision, hasSeconds, lateness } from '../expect/instant.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { metadataOf } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
import { agentKey, isAfter, remember, seenResource } from '../kit/resources/seen-resource.ts';

interface SeenUpdate {
  readonly seen: Seen;
  readonly returned: ReturnedResource;
}

/** Compares each accepted update with the one before it of the same agent, if they did not overlap. */
export const comparesUpdates =
  (compare: (first: SeenUpdate, later: SeenUpdate) => Judged) =>
  (facts: Facts): ((seen: Seen) => Judged) => {
    const latest = new Map<string, SeenUpdate>();
    return (seen) => {
      const returned = seenResource(seen);
      const key = returned && agentKey(seen, facts, returned);
      if (returned === undefined || key === undefined) return undefined;
      const first = latest.get(key);
      const later = { seen, returned };
      remember(latest, key, later);
      return first !== undefined && isAfter(first.seen, seen) ? compare(first, later) : undefined;
    };
  };

const timesOf = ({ returned }: SeenUpdate): { readonly createdAt?: unknown; readonly updatedAt?: unknown } =>
  metadataOf(returned);

/** What clients write, as far as it cannot change otherwise. */
function contentOf({ returned }: SeenUpdate): string {
  const { displayName, labels } = metadataOf(returned);
  const spec = fieldsOf(returned.resource['spec']) ?? {};
  return JSON.stringify([displayName, labels, spec['enabled'], spec['public'], fieldsOf(spec['runtime'])?.['envs']]);
}

/**
 * Whether another agent may have taken the name since: one that was created after the first update. An agent whose creation
 * is exactly the time of an update that has changed it was not.
 */
export function mayBeAnotherAgent(first: SeenUpdate, later: SeenUpdate): boolean {
  const [was, is] = [timesOf(first), timesOf(later)];
  const lastKnown = typeof was.updatedAt === 'string' ? was.updatedAt : was.createdAt;
  if (typeof is.createdAt !== 'string' || typeof lastKnown !== 'string') return true;
  if (lateness(lastKnown, is.createdAt) <= 0) return false;
  const isDatedAnew = is.createdAt === is.updatedAt && !hasSecondPrecision(is.createdAt);
  return !isDatedAnew || contentOf(first) === contentOf(later);
}

/** The time of an update may move only when its deployment ends. */
const DEPLOYMENT_MS = 60_000;

/** Whether the times of both are precise enough to show that the later one has changed the agent afterwards. */
export function showsChange(first: SeenUpdate, later: SeenUpdate): boolean {
  const [was, is] = [timesOf(first).updatedAt, timesOf(later).updatedAt];
  const [from, to] = [first.seen.sentAt, later.seen.sentAt];
  if (!hasSeconds(was) || !hasSeconds(is) || from === undefined || to === undefined) return false;
  return to - from > DEPLOYMENT_MS && contentOf(first) !== contentOf(later);
}
