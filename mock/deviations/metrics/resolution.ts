/** Deviations of resolutions: which are known, echoed and picked, and how long a window each accepts. */
import type { Table } from '../table.ts';
import type { Resolution } from '../../../spec/generated/types.ts';
import { resolutions } from '../../../spec/values.ts';
import { all, whenQuery, type Condition } from '../conditions.ts';
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
const isKnown = (value: string): boolean => (resolutions as readonly string[]).includes(value);
const unknownResolution = whenQuery('unknown resolution', (query) => !isKnown(query.get('resolution') ?? 'hourly'));
const clockChange = whenQuery('clocks go forward in the window', losesAnHour);
const lastHourOf = (days: number): Condition =>
  whenQuery(`window at most an hour shorter than ${days} days`, (query) => {
    const length = the.windowLength(query);
    return length < days * the.DAY && length >= days * the.DAY - HOUR;
  });
const localDays = (days: number): Condition =>
  whenQuery(
    `${days} local days in which clocks go forward`,
    (query) => the.windowLength(query) > days * the.DAY - HOUR && losesAnHour(query),
  );

const withinWholeHours = whenQuery(
  'window shorter than 7 days and an hour',
  (query) => the.windowLength(query) < 7 * the.DAY + HOUR,
);

/** Accepts more days than the cap, with a response for the capped window. */
const beyond = (resolution: Resolution, cap: number, ...conditions: Condition[]) =>
  [all(requests(resolution), longerThan(cap), ...conditions), shorten(cap)] as const;
const refused = (resolution: Resolution, ...conditions: Condition[]) =>
  [all(requests(resolution), ...conditions), refuse()] as const;
const picks = (resolution: Resolution, ...conditions: Condition[]) =>
  [all(the.pickedResolution, ...conditions), set('resolution', resolution)] as const;

export const resolutionDeviations: Table = {
  'metrics.resolution.unknown-refused': {
    'picks a resolution if it does not know the requested one': [unknownResolution, ignore('resolution')],
    'accepts resolutions in any letter case': [unknownResolution, read('resolution', (value) => value.toLowerCase())],
    'uses monthly for yearly and quarterly': read('resolution', (value) =>
      ['yearly', 'quarterly'].includes(value) ? 'monthly' : value,
    ),
    'accepts month for monthly': read('resolution', (value) => nouns[value] ?? value),
    'uses the first of a list of resolutions': read('resolution', (value) => value.split(',', 1)[0] || value),
    'accepts 1d and P1D for daily': read('resolution', (value) => durations[value] ?? value),
    'ignores names that every object inherits': read('resolution', (value) => (value in {} ? undefined : value)),
    'accepts values that start with a resolution if grouped': [
      all(unknownResolution, grouped),
      read('resolution', (value) => resolutions.find((name) => value.startsWith(name)) ?? value),
    ],
    'ignores an unknown resolution if a cursor is sent': [all(laterPage, unknownResolution), ignore('resolution')],
  },
  'metrics.resolution.explicit-echoed': {
    'echoes the resolution that it would have picked': changeBody((body, query) => {
      const days = the.windowLength(query) / the.DAY;
      body.resolution = days < 7 ? 'hourly' : days < 90 ? 'daily' : days < 365 ? 'weekly' : 'monthly';
    }),
    'echoes daily for weekly windows of up to a day': [
      all(requests('weekly'), the.atMost(1)),
      changeBody((body) => (body.resolution = 'daily')),
    ],
    // Returns hourly buckets although daily ones are requested.
    'uses hourly for daily windows shorter than two days': [
      all(requests('daily'), shorterThan(2)),
      set('resolution', 'hourly'),
    ],
    'echoes daily on later pages': [laterPage, changeBody((body) => (body.resolution = 'daily'))],
    'refuses weekly with resourceType': refused('weekly', has('resourceType')),
  },
  'metrics.resolution.picked-by-window': {
    'picks hourly for exactly 7 days': picks('hourly', exactly(7)),
    'picks daily for exactly 90 days': picks('daily', exactly(90)),
    'picks weekly for one second less than 90 days': picks('weekly', the.secondsBefore(90)),
    'picks daily for one second less than 7 days': picks('daily', the.secondsBefore(7)),
    'picks monthly for 360 days and more': picks('monthly', atLeast(360)),
    'picks weekly for exactly 366 days': picks('weekly', exactly(366)),
    'reports yearly for more than 11 years': [
      all(the.pickedResolution, longerThan(11 * 366)),
      changeBody((body) => (body.resolution = 'yearly' as never)),
    ],
    'picks daily for 3 to 7 days if grouped': picks('daily', grouped, atLeast(3), shorterThan(7)),
    'picks weekly for 60 to 90 days if resourceType is sent': picks(
      'weekly',
      has('resourceType'),
      atLeast(60),
      shorterThan(90),
    ),
    'picks hourly for exactly 7 days if resourceType is sent': picks('hourly', has('resourceType'), exactly(7)),
    'picks daily for just under 7 days in which clocks go forward': picks('daily', lastHourOf(7), clockChange),
  },
  'metrics.resolution.hourly-cap': {
    'accepts hourly for one second more than 7 days': beyond('hourly', 7, secondAfter(7)),
    'refuses hourly for exactly 7 days': refused('hourly', exactly(7)),
    'rounds the hourly cap to whole hours': beyond('hourly', 7, withinWholeHours),
    'has no hourly cap if grouped': beyond('hourly', 7, grouped),
    'has no hourly cap beyond 31 days': beyond('hourly', 7, longerThan(31)),
    'has no hourly cap for API keys': beyond('hourly', 7, the.byApiKey),
    'refuses hourly for 7 days in which clocks go forward': refused('hourly', localDays(7)),
    'uses the window of the cursor for more than 7 days of hourly': [
      all(requests('hourly'), longerThan(7)),
      keepWindow,
    ],
  },
  'metrics.resolution.daily-cap': {
    'accepts daily for one second more than 90 days': beyond('daily', 90, secondAfter(90)),
    'refuses daily for exactly 90 days': refused('daily', exactly(90)),
    'accepts daily for up to 92 days': beyond('daily', 90, the.atMost(92)),
    'has no daily cap if resourceType is sent': beyond('daily', 90, has('resourceType')),
    'has no daily cap if resourceName is sent': beyond('daily', 90, has('resourceName')),
    'refuses daily for exactly 90 days if grouped': refused('daily', exactly(90), grouped),
    'refuses daily for 90 days in which clocks go forward': refused('daily', localDays(90)),
  },
  'metrics.resolution.weekly-cap': {
    'accepts weekly for one second more than 366 days': beyond('weekly', 366, secondAfter(366)),
    'refuses weekly for exactly 365 days': refused('weekly', exactly(365)),
    'accepts weekly for up to 53 weeks': beyond('weekly', 366, the.atMost(371)),
    'has no weekly cap beyond two years': beyond('weekly', 366, longerThan(730)),
    'accepts weekly for two years': beyond('weekly', 366, atLeast(730), shorterThan(800)),
  },
  'metrics.resolution.monthly-uncapped': {
    'refuses monthly for more than ten years': refused('monthly', longerThan(3660)),
    'refuses monthly for three to four years': refused('monthly', longerThan(1100), shorterThan(1450)),
    'refuses monthly for more than thirty years': refused('monthly', longerThan(30 * 366)),
    'refuses monthly for more than five years if grouped': refused('monthly', longerThan(1830), grouped),
  },
};
