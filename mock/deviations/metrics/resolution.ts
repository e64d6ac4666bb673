/** Faults of resolutions: which are known, echoed, picked, and how long a window they may have. */
import { deviationsOf } from '../table.ts';
import type { Resolution } from '../../../spec/generated/types.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import { isFromApiKey } from '../writes.ts';
import { resolutions } from '../../../spec/values.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import {
  answersInstead,
  asksFor,
  asksInstead,
  DAY,
  isGrouped,
  lengthOf,
  queryOf,
  refusesQuery,
  SECOND,
  shorten,
} from './faults.ts';

const nouns: Record<string, Resolution> = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly' };

function picks(
  what: string,
  resolution: Resolution,
  concerns: (length: number, query: URLSearchParams) => boolean,
): Deviation {
  return asksInstead(what, (query) => {
    if (!query.has('resolution') && concerns(lengthOf(query), query)) query.set('resolution', resolution);
  });
}

/** Answers windows that are too long for the resolution, with as much of them as it may have. */
function answersTooLong(
  what: string,
  resolution: Resolution,
  days: number,
  concerns: (length: number, query: URLSearchParams) => boolean,
): Deviation {
  return asksInstead(what, (query) => {
    const length = lengthOf(query);
    if (asksFor(query, resolution) && length > days * DAY && concerns(length, query)) shorten(query, days * DAY);
  });
}

function refusesLength(
  what: string,
  resolution: Resolution,
  concerns: (length: number, query: URLSearchParams) => boolean,
): Deviation {
  return refusesQuery(what, 400, (query) => asksFor(query, resolution) && concerns(lengthOf(query), query));
}

const isUnknown = (query: URLSearchParams) =>
  query.has('resolution') && !resolutions.includes(query.get('resolution') as Resolution);

export const resolutionDeviations: Deviations = deviationsOf({
  'metrics.resolution.unknown-refused': {
    '': asksInstead('picks a resolution itself where it does not know the one asked for', (query) => {
      if (isUnknown(query)) query.delete('resolution');
    }),
    'letter-case': asksInstead('knows resolutions in any letter case', (query) => {
      if (isUnknown(query)) query.set('resolution', query.get('resolution')!.toLowerCase());
    }),
    nouns: asksInstead('knows month for monthly', (query) => {
      const noun = nouns[query.get('resolution') ?? ''];
      if (noun !== undefined) query.set('resolution', noun);
    }),
    'first-of-list': asksInstead('takes the first of a list of resolutions', (query) => {
      const [first] = query.get('resolution')?.split(',') ?? [];
      if (first) query.set('resolution', first);
    }),
    inherited: asksInstead('takes names that every object has', (query) => {
      if ((query.get('resolution') ?? '') in {}) query.delete('resolution');
    }),
    beginning: asksInstead('knows what begins like a resolution, in grouped questions', (query) => {
      const known = resolutions.find((name) => query.get('resolution')?.startsWith(name));
      if (isUnknown(query) && isGrouped(query) && known !== undefined) query.set('resolution', known);
    }),
  },

  'metrics.resolution.explicit-echoed': {
    '': onSuccess(
      'echoes the resolution it would have picked',
      ['getAccountMetrics'],
      (body: AccountMetricsResponse, ctx) => {
        const days = lengthOf(queryOf(ctx)) / DAY;
        const [hourly, daily, weekly, monthly] = [days < 7, days < 90, days < 365, true];
        const picked = hourly ? 'hourly' : daily ? 'daily' : weekly ? 'weekly' : monthly && 'monthly';
        return { ...body, resolution: picked };
      },
    ),
    'short-weekly': answersInstead('echoes daily where weekly is asked for up to a day', (body, query) => {
      if (asksFor(query, 'weekly') && lengthOf(query) <= DAY) body.resolution = 'daily';
    }),
    // Buckets are then hourly where daily ones were asked for.
    'short-daily': asksInstead('answers hourly where daily is asked for less than two days', (query) => {
      if (asksFor(query, 'daily') && lengthOf(query) < 2 * DAY) query.set('resolution', 'hourly');
    }),
    refused: refusesQuery(
      'refuses weekly with a resourceType',
      400,
      (query) => asksFor(query, 'weekly') && query.has('resourceType'),
    ),
  },

  'metrics.resolution.picked-by-window': {
    '': picks('picks hourly for exactly 7 days', 'hourly', (length) => length === 7 * DAY),
    'daily-second-late': picks('picks daily for exactly 90 days', 'daily', (length) => length === 90 * DAY),
    'daily-second-early': picks(
      'picks weekly a second before 90 days',
      'weekly',
      (length) => length === 90 * DAY - SECOND,
    ),
    'hourly-second-early': picks(
      'picks daily a second before 7 days',
      'daily',
      (length) => length === 7 * DAY - SECOND,
    ),
    'year-of-360-days': picks('picks monthly from 360 days on', 'monthly', (length) => length >= 360 * DAY),
    '366-days': picks('picks weekly for exactly 366 days', 'weekly', (length) => length === 366 * DAY),
    'eleven-years': answersInstead('picks yearly from 11 years on', (body, query) => {
      if (!query.has('resolution') && lengthOf(query) > 11 * 366 * DAY) body.resolution = 'yearly' as never;
    }),
    grouped: picks(
      'picks daily for three days and more in grouped questions',
      'daily',
      (length, query) => isGrouped(query) && length >= 3 * DAY && length < 7 * DAY,
    ),
    filtered: picks(
      'picks weekly from 60 days on with a resourceType',
      'weekly',
      (length, query) => query.has('resourceType') && length >= 60 * DAY && length < 90 * DAY,
    ),
  },

  'metrics.resolution.hourly-cap': {
    '': answersTooLong(
      'takes hourly for a second more than 7 days',
      'hourly',
      7,
      (length) => length === 7 * DAY + SECOND,
    ),
    'second-early': refusesLength('refuses hourly for exactly 7 days', 'hourly', (length) => length === 7 * DAY),
    'whole-hours': answersTooLong(
      'counts the cap in whole hours',
      'hourly',
      7,
      (length) => length < 7 * DAY + 3600 * SECOND,
    ),
    grouped: answersTooLong('has no cap on hourly in grouped questions', 'hourly', 7, (_, query) => isGrouped(query)),
    months: answersTooLong('has no cap on hourly beyond a month', 'hourly', 7, (length) => length > 31 * DAY),
    keys: asksInstead('has no cap on hourly for API keys', (query, ctx) => {
      const isLonger = asksFor(query, 'hourly') && lengthOf(query) > 7 * DAY;
      if (isLonger && isFromApiKey(ctx)) shorten(query, 7 * DAY);
    }),
  },

  'metrics.resolution.daily-cap': {
    '': answersTooLong(
      'takes daily for a second more than 90 days',
      'daily',
      90,
      (length) => length === 90 * DAY + SECOND,
    ),
    'second-early': refusesLength('refuses daily for exactly 90 days', 'daily', (length) => length === 90 * DAY),
    'three-months': answersTooLong('takes daily for up to 92 days', 'daily', 90, (length) => length <= 92 * DAY),
    filtered: answersTooLong('has no cap on daily with a resourceType', 'daily', 90, (_, query) =>
      query.has('resourceType'),
    ),
    named: answersTooLong('has no cap on daily with a resourceName', 'daily', 90, (_, query) =>
      query.has('resourceName'),
    ),
    'grouped-second-early': refusesLength(
      'refuses daily for exactly 90 days in grouped questions',
      'daily',
      (length, query) => length === 90 * DAY && isGrouped(query),
    ),
  },

  'metrics.resolution.weekly-cap': {
    '': answersTooLong(
      'takes weekly for a second more than 366 days',
      'weekly',
      366,
      (length) => length === 366 * DAY + SECOND,
    ),
    'second-early': refusesLength('refuses weekly for exactly 365 days', 'weekly', (length) => length === 365 * DAY),
    '53-weeks': answersTooLong('takes weekly for up to 53 weeks', 'weekly', 366, (length) => length <= 371 * DAY),
    'two-years': answersTooLong('has no cap on weekly beyond two years', 'weekly', 366, (length) => length > 730 * DAY),
  },

  'metrics.resolution.monthly-uncapped': {
    '': refusesLength('refuses monthly for more than ten years', 'monthly', (length) => length > 3660 * DAY),
    'three-years': refusesLength(
      'refuses monthly for three to four years',
      'monthly',
      (length) => length > 1100 * DAY && length < 1450 * DAY,
    ),
    'thirty-years': refusesQuery(
      'refuses monthly for more than thirty years',
      400,
      (query) => asksFor(query, 'monthly') && lengthOf(query) > 30 * 366 * DAY,
    ),
    grouped: refusesLength(
      'refuses monthly for more than five years in grouped questions',
      'monthly',
      (length, query) => isGrouped(query) && length > 1830 * DAY,
    ),
  },
});
