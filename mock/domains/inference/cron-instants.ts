/** Enumerates the instants of a cron schedule, and groups equally spaced ones into runs. */
import type { Cron } from 'croner';
import type { Run } from '../resources/uses.ts';
import type { Instant } from '../../time/clock.ts';

const DAY_MS = 86_400_000;

/** `after` exclusive, `until` inclusive. Computes the times of one day and reuses them: in UTC they are the same every day. */
export function* instantsOf(cron: Cron, after: Instant, until: Instant): Generator<Instant> {
  if (until - after < 2 * DAY_MS) return yield* oneByOne(cron, after, until);
  let day = dayOf(nextOf(cron, after));
  const offsets = day > until ? [] : [...oneByOne(cron, day - 1, day + DAY_MS - 1)].map((at) => at - day);
  for (; day <= until; day = dayOf(nextOf(cron, day + DAY_MS - 1))) {
    for (const offset of offsets) if (day + offset > after && day + offset <= until) yield day + offset;
  }
}

function* oneByOne(cron: Cron, after: Instant, until: Instant): Generator<Instant> {
  for (let at = nextOf(cron, after); at <= until; at = nextOf(cron, at)) yield at;
}

/** Infinity if there is no later instant. */
function nextOf(cron: Cron, after: Instant): Instant {
  return cron.nextRun(new Date(after))?.getTime() ?? Infinity;
}

function dayOf(instant: Instant): Instant {
  return instant === Infinity ? Infinity : Math.floor(instant / DAY_MS) * DAY_MS;
}

/** Adds the next instant: extends the last run if the spacing matches, or else starts a new one. */
export function addInstant(runs: Run[], at: Instant): void {
  const last = runs.at(-1);
  if (last?.times === 1) runs[runs.length - 1] = { ...last, everyMs: at - last.first, times: 2 };
  else if (last !== undefined && at === last.first + last.everyMs * last.times)
    runs[runs.length - 1] = { ...last, times: last.times + 1 };
  else runs.push({ first: at, everyMs: 0, times: 1 });
}
