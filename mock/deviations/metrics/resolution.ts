/** Deviations of resolutions: which are known, echoed and picked, and how long a window each accepts. */
import { across, type Rows, type Table } from '../table.ts';
import type { Resolution } from '../../../spec/generated/types.ts';
import { resolutions } from '../../../spec/values.ts';
import { all, always, whenQuery, type Condition } from '../conditions.ts';
import type { Effect } from '../deviation.ts';
import * as the from './conditions.ts';
import {
  atLeast,
  exactly,
  grouped,
  has,
  HOUR,
  laterPage,
  longerThan,
  requests,
  secondAfter,
  shorterThan,
} from './conditions.ts';
import { losesAnHour } from './calendar.ts';
import { keepWindow } from './cursor-memory.ts';
import { changeBody, ignore, read, refuse, set, shorten } from './effects.ts';

const nouns: Record<string, Resolution> = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly' };
const durations: Record<string, Resolution> = { '1h': 'hourly', '1d': 'daily', P1D: 'daily' };
const others: Record<string, Resolution> = { yearly: 'monthly', quarterly: 'monthly' };
const isKnown = (value: string): boolean => (resolutions as readonly string[]).includes(value);
const unknownResolution = whenQuery(
  'for an unknown resolution',
  (query) => !isKnown(query.get('resolution') ?? 'hourly'),
);
const clockChange = whenQuery('if clocks go forward in the window', losesAnHour);
const lastHourOf = (days: number): Condition =>
  whenQuery(`for windows at most an hour shorter than ${days} days`, (query) => {
    const length = the.windowLength(query);
    return length < days * the.DAY && length >= days * the.DAY - HOUR;
  });
const localDays = (days: number): Condition =>
  whenQuery(
    `for ${days} local days in which clocks go forward`,
    (query) => the.windowLength(query) > days * the.DAY - HOUR && losesAnHour(query),
  );

const withinWholeHours = whenQuery(
  'for windows shorter than 7 days and an hour',
  (query) => the.windowLength(query) < 7 * the.DAY + HOUR,
);

const mapped = (names: Record<string, Resolution>): Effect => read('resolution', (value) => names[value] ?? value);
const echo = (resolution: string): Effect => changeBody((body) => (body.resolution = resolution as Resolution));

/** Accepts more days than the cap under each condition, with a response for the capped window. */
const beyond = (resolution: Resolution, cap: number, ...conditions: readonly Condition[]): Rows =>
  across(conditions, { [`accepts ${resolution}`]: [all(requests(resolution), longerThan(cap)), shorten(cap)] });
const refuses = (resolution: Resolution, ...conditions: readonly Condition[]): Rows =>
  across(conditions, { [`refuses ${resolution}`]: [requests(resolution), refuse()] });
const picks = (resolution: Resolution, ...conditions: readonly Condition[]): Rows =>
  across(conditions, { [`picks ${resolution}`]: [the.pickedResolution, set('resolution', resolution)] });

export const resolutionDeviations: Table = {
  'metrics.resolution.unknown-refused': {
    ...across([always, laterPage], { 'ignores an unknown resolution': [unknownResolution, ignore('resolution')] }),
    'accepts resolutions in any letter case': [unknownResolution, read('resolution', (value) => value.toLowerCase())],
    'uses monthly for yearly and quarterly': mapped(others),
    'accepts month for monthly': mapped(nouns),
    'accepts 1d and P1D for daily': mapped(durations),
    'uses the first of a list of resolutions': read('resolution', (value) => value.split(',', 1)[0] || value),
    'ignores names that every object inherits': read('resolution', (value) => (value in {} ? undefined : value)),
    'accepts values that start with a resolution if grouped': [
      all(unknownResolution, grouped),
      read('resolution', (value) => resolutions.find((name) => value.startsWith(name)) ?? value),
    ],
  },
  'metrics.resolution.explicit-echoed': {
    'echoes the resolution that it would have picked': changeBody((body, query) => {
      const days = the.windowLength(query) / the.DAY;
      body.resolution = days < 7 ? 'hourly' : days < 90 ? 'daily' : days < 365 ? 'weekly' : 'monthly';
    }),
    ...across([all(requests('weekly'), the.atMost(1)), laterPage], { 'echoes daily': echo('daily') }),
    // Returns hourly buckets although daily ones are requested.
    'uses hourly for daily windows shorter than two days': [
      all(requests('daily'), shorterThan(2)),
      set('resolution', 'hourly'),
    ],
    ...refuses('weekly', has('resourceType')),
  },
  'metrics.resolution.picked-by-window': {
    ...picks('hourly', exactly(7), all(has('resourceType'), exactly(7)), all(the.byApiKey, exactly(7))),
    ...picks(
      'daily',
      exactly(90),
      all(grouped, exactly(90)),
      the.secondsBefore(7),
      all(grouped, atLeast(3), shorterThan(7)),
      all(lastHourOf(7), clockChange),
    ),
    ...picks('weekly', the.secondsBefore(90), exactly(366), all(has('resourceType'), atLeast(60), shorterThan(90))),
    ...picks('monthly', atLeast(360)),
    'reports yearly for more than 11 years': [all(the.pickedResolution, longerThan(11 * 366)), echo('yearly')],
  },
  'metrics.resolution.hourly-cap': {
    ...beyond('hourly', 7, secondAfter(7), withinWholeHours, grouped, longerThan(31), the.byApiKey),
    ...refuses('hourly', exactly(7), localDays(7)),
    'uses the window of the cursor for more than 7 days of hourly': [
      all(requests('hourly'), longerThan(7)),
      keepWindow,
    ],
  },
  'metrics.resolution.daily-cap': {
    ...beyond('daily', 90, secondAfter(90), the.atMost(92), has('resourceType'), has('resourceName')),
    ...refuses('daily', exactly(90), all(exactly(90), grouped), localDays(90)),
  },
  'metrics.resolution.weekly-cap': {
    ...beyond('weekly', 366, secondAfter(366), the.atMost(371), longerThan(730), all(atLeast(730), shorterThan(800))),
    ...refuses('weekly', exactly(365)),
  },
  'metrics.resolution.monthly-uncapped': refuses(
    'monthly',
    longerThan(3660),
    all(longerThan(1100), shorterThan(1450)),
    longerThan(30 * 366),
    all(longerThan(1830), grouped),
  ),
};
