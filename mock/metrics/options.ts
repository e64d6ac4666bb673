/** Choices that the API leaves open about metrics, and the mock's defaults. */
import type { Resolution } from '../../spec/generated/types.ts';

/** Where buckets start: at multiples of their length from startTime, or at UTC calendar boundaries. */
export interface Cut {
  /** `{ weekday }`: midnights of that day; 0 is Sunday. */
  readonly at: 'startTime' | 'calendar' | { readonly weekday: number };
  /** Whether the timestamp of a shorter first bucket is startTime, or the instant before it at which a whole one would begin. */
  readonly first: 'at startTime' | 'before startTime';
}

/** Of windows about a year long: in days, or days and a second, or days less a second. */
export type YearLength = '365 days less a second' | '365 days' | '365 days and a second' | '366 days';

export type Year = 'a common year' | 'a leap year';

export const GROUP_ORDERS = [
  'by names, ascending',
  'by names, descending',
  'by cost, dearest first',
  'by cost, cheapest first',
  'none of names or cost',
] as const;

export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** What a cursor is bound to in addition to account and position. */
export type CursorBond = 'window' | 'resolution' | 'groupBy' | 'filters' | 'limit';

export interface MetricsChoices {
  readonly cuts: Readonly<Record<Resolution, Cut>>;
  /** The resolution of a window of at least that length and less than the next. An omitted one is that of the next shorter. */
  readonly picked: { readonly [At in `${YearLength} of ${Year}`]?: 'weekly' | 'monthly' };
  /** Whether weekly may be requested, in the same way. */
  readonly weekly: { readonly [At in `${YearLength} of ${Year}`]?: 'allowed' | 'refused' };
  readonly order: GroupOrder;
  /** Whether every page except the last has the requested number of groups. */
  readonly pages: 'all full' | 'some are not full';
  /** Whether hasMore is false already on the page that completes the groups. */
  readonly end: 'on the last group' | 'on an empty page';
  readonly cursor: Readonly<Record<CursorBond, 'bound' | 'free'>>;
  /** How a cursor without groupBy is handled. */
  readonly cursorWithoutGroupBy: 'refused' | 'ignored';
  /** endTime equal to startTime. */
  readonly emptyWindow: 'refused' | 'accepted';
}

const calendar: Cut = { at: 'calendar', first: 'at startTime' };

export const defaultMetricsChoices: MetricsChoices = {
  cuts: { hourly: calendar, daily: calendar, weekly: { at: 'startTime', first: 'at startTime' }, monthly: calendar },
  // "1 year" is read as 365 or 366 days, whichever accepts the request (metrics.resolution.weekly-cap,
  // metrics.resolution.picked-by-window).
  picked: { '365 days of a common year': 'monthly', '365 days of a leap year': 'monthly' },
  weekly: {},
  order: 'by names, ascending',
  pages: 'all full',
  end: 'on the last group',
  cursor: { window: 'bound', resolution: 'bound', groupBy: 'bound', filters: 'bound', limit: 'free' },
  cursorWithoutGroupBy: 'refused',
  emptyWindow: 'refused',
};
