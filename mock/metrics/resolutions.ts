/** The four resolutions: their longest windows, and the windows for which each is selected. */
import type { Resolution } from '../../spec/generated/types.ts';
import { resolutions } from '../../spec/values.ts';
import { defaultMetricsChoices, type MetricsChoices, type Year, type YearLength } from './options.ts';
import { DAY, lengthOf, type Window } from './windows.ts';

export type { Resolution } from '../../spec/generated/types.ts';

/** From the shortest buckets to the longest. */
export const RESOLUTIONS = resolutions;

/** In days. The limit around one year is configurable (metrics.resolution.weekly-cap, metrics.resolution.picked-by-window). */
const ROWS: Record<Resolution, { readonly atMostDays: number; readonly pickedBelowDays: number }> = {
  hourly: { atMostDays: 7, pickedBelowDays: 7 },
  daily: { atMostDays: 90, pickedBelowDays: 90 },
  weekly: { atMostDays: 366, pickedBelowDays: 366 },
  monthly: { atMostDays: Infinity, pickedBelowDays: Infinity },
};

/** From the longest to the shortest, in milliseconds. */
const YEAR_LENGTHS: readonly (readonly [YearLength, number])[] = [
  ['366 days', 366 * DAY],
  ['365 days and a second', 365 * DAY + 1000],
  ['365 days', 365 * DAY],
  ['365 days less a second', 365 * DAY - 1000],
];

export function isResolution(text: string): text is Resolution {
  return Object.hasOwn(ROWS, text);
}

export function selectResolution(window: Window, { picked } = defaultMetricsChoices): Resolution {
  const found = RESOLUTIONS.find((name) => lengthOf(window) < ROWS[name].pickedBelowDays * DAY) ?? 'monthly';
  return found === 'weekly' ? (aboutAYear(window, picked) ?? found) : found;
}

/** The resolutions whose cap the window keeps to. */
export function allowedResolutions(window: Window, { weekly } = defaultMetricsChoices): Resolution[] {
  const within = RESOLUTIONS.filter((name) => lengthOf(window) <= ROWS[name].atMostDays * DAY);
  return aboutAYear(window, weekly) === 'refused' ? within.filter((name) => name !== 'weekly') : within;
}

/** The value for the longest configured length around a year that the window reaches. Undefined for a shorter window. */
function aboutAYear<Held>(
  window: Window,
  held: { readonly [At in keyof MetricsChoices['picked']]?: Held },
): Held | undefined {
  const year: Year = hasLeapDay(window.start) ? 'a leap year' : 'a common year';
  return YEAR_LENGTHS.filter(([, length]) => lengthOf(window) >= length)
    .map(([length]) => held[`${length} of ${year}`])
    .find((each) => each !== undefined);
}

/** Whether the year from an instant on has a 29 February. */
function hasLeapDay(start: number): boolean {
  const date = new Date(start);
  return date.setUTCFullYear(date.getUTCFullYear() + 1) - start > 365 * DAY;
}
