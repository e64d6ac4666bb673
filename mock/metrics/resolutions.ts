/** The four resolutions: the longest window each may be asked for, and below what length each is picked. */
import type { Resolution } from '../../spec/generated/types.ts';
import { resolutions } from '../../spec/values.ts';
import { DAY, lengthOf, type Window } from './windows.ts';

export type { Resolution } from '../../spec/generated/types.ts';

/** From the shortest buckets to the longest. */
export const RESOLUTIONS = resolutions;

/**
 * In days. "1 year" is read both ways where that refuses nobody: weekly may be asked for up to 366 days, a leap year,
 * and monthly is picked from 365 days on (metrics.resolution.weekly-cap, metrics.resolution.picked-by-window).
 */
const ROWS: Record<Resolution, { readonly atMostDays: number; readonly pickedBelowDays: number }> = {
  hourly: { atMostDays: 7, pickedBelowDays: 7 },
  daily: { atMostDays: 90, pickedBelowDays: 90 },
  weekly: { atMostDays: 366, pickedBelowDays: 365 },
  monthly: { atMostDays: Infinity, pickedBelowDays: Infinity },
};

export function isResolution(text: string): text is Resolution {
  return Object.hasOwn(ROWS, text);
}

export function pickResolution(window: Window): Resolution {
  return RESOLUTIONS.find((name) => lengthOf(window) < ROWS[name].pickedBelowDays * DAY) ?? 'monthly';
}

/** The resolutions whose cap the window keeps to. */
export function allowedResolutions(window: Window): Resolution[] {
  return RESOLUTIONS.filter((name) => lengthOf(window) <= ROWS[name].atMostDays * DAY);
}
