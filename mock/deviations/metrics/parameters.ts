/** Faults of what the metrics operation demands of its parameters, and of the parts of its answer. */
import { deviationsOf } from '../table.ts';
import type { Deviations } from '../deviation.ts';
import { answersInstead, asksInstead, DAY, HOUR, isGrouped, lengthOf, SECOND, timestamp } from './faults.ts';

const sides = ['startTime', 'endTime'] as const;

/** Puts right what is no timestamp, for one or both ends of the window. */
function reads(what: string, read: (value: string) => string, ends: readonly string[] = sides) {
  return asksInstead(what, (query) => {
    for (const name of ends) {
      const value = query.get(name);
      if (value !== null) query.set(name, read(value));
    }
  });
}

/** As Date.UTC takes month 13 for the January after. */
function rolledOver(value: string): string {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(value);
  const [year = 0, month = 1, ...rest] = found?.slice(1).map(Number) ?? [];
  return found === null ? value : timestamp(Date.UTC(year, month - 1, ...rest));
}

function replaced(value: string, form: RegExp, by: (value: string) => string): string {
  return form.test(value) ? by(value) : value;
}

function swapped(query: URLSearchParams): void {
  const [start = '', end = ''] = sides.map((name) => query.get(name) ?? '');
  query.set('startTime', end);
  query.set('endTime', start);
}

export const parametersDeviations: Deviations = deviationsOf({
  'metrics.parameters.window-required': {
    '': asksInstead('takes the next day where endTime is missing', (query) => {
      const start = query.get('startTime');
      if (start !== null && !query.has('endTime')) query.set('endTime', timestamp(Date.parse(start) + DAY));
    }),
    start: asksInstead('takes the day before where startTime is missing', (query) => {
      const end = query.get('endTime');
      if (end !== null && !query.has('startTime')) query.set('startTime', timestamp(Date.parse(end) - DAY));
    }),
    grouped: asksInstead('needs no window where groupBy and a limit are given', (query) => {
      if (!query.has('limit') || !isGrouped(query) || query.has('startTime') || query.has('endTime')) return;
      query.set('startTime', '2026-01-01T00:00:00Z');
      query.set('endTime', '2026-01-02T00:00:00Z');
    }),
    'later-pages': asksInstead('takes the next day where endTime is missing for a later page', (query) => {
      const start = query.get('startTime');
      if (start !== null && query.has('cursor') && !query.has('endTime'))
        query.set('endTime', timestamp(Date.parse(start) + DAY));
    }),
  },

  'metrics.parameters.timestamps-rfc3339': {
    '': reads('takes a date for its midnight', (value) =>
      replaced(value, /^\d{4}-\d\d-\d\d$/, (date) => `${date}T00:00:00Z`),
    ),
    'epoch-end': reads(
      'takes seconds since 1970 for an endTime',
      (value) => replaced(value, /^\d{9,10}$/, (seconds) => timestamp(Number(seconds) * SECOND)),
      ['endTime'],
    ),
    'epoch-milliseconds': reads('takes milliseconds since 1970', (value) =>
      replaced(value, /^\d{12,13}$/, (milliseconds) => timestamp(Number(milliseconds))),
    ),
    'rolls-over': reads('takes 30 February for 2 March, and month 13 for January', rolledOver),
    'hour-24': reads(
      'takes 24:00 for the midnight after, in startTime',
      (value) => replaced(value, /T24:/, rolledOver),
      ['startTime'],
    ),
    'no-offset': reads('takes a time without an offset for one of UTC', (value) =>
      replaced(value, /T\d\d:\d\d:\d\d$/, (local) => `${local}Z`),
    ),
    empty: reads('takes an empty startTime for the beginning', (value) => value || '2020-01-01T00:00:00Z', [
      'startTime',
    ]),
    now: reads('knows the word now as an endTime', (value) => (value === 'now' ? '2100-01-01T00:00:00Z' : value), [
      'endTime',
    ]),
    'any-words': reads('takes whatever the language can read as a date', (value) => {
      const instant = Date.parse(value);
      return Number.isNaN(instant) ? value : timestamp(instant);
    }),
    'other-digits': reads('takes digits of other scripts', (value) => value.normalize('NFKC')),
    'six-digit-year': reads('takes a year of six digits', (value) => value.replace(/^\+00/, '')),
    'zone-name': reads('takes the name of a zone behind the time', (value) => value.replace(/Z?(\[UTC\]| ?UTC)$/, 'Z')),
    'offset-beyond': reads('takes an offset of 99 hours and 99 minutes for none', (value) =>
      value.replace(/[+-]99:99$/, 'Z'),
    ),
    ordinal: reads('takes the day of the year for a date', (value) =>
      replaced(value, /^\d{4}-\d{3}T/, (text) => {
        const day = new Date(Date.UTC(Number(text.slice(0, 4)), 0, Number(text.slice(5, 8))));
        return day.toISOString().slice(0, 10) + text.slice(8);
      }),
    ),
    century: reads('takes every fourth year for a leap year', (value) => value.replace('00-02-29T', '00-03-01T')),
    'no-digit': reads('takes a fraction without a digit', (value) => value.replace(/\.Z$/, 'Z')),
  },

  'metrics.parameters.end-not-before-start': {
    '': asksInstead('swaps the ends of a window that is the wrong way round', (query) => {
      if (lengthOf(query) < 0) swapped(query);
    }),
    'one-second': asksInstead('lets endTime be up to a minute before startTime', (query) => {
      if (lengthOf(query) < 0 && lengthOf(query) >= -60 * SECOND) swapped(query);
    }),
    monthly: asksInstead('lets endTime be before startTime with monthly', (query) => {
      if (query.get('resolution') === 'monthly' && lengthOf(query) < 0) swapped(query);
    }),
    'same-day': asksInstead('compares dates without their time of day', (query) => {
      const [start, end] = sides.map((name) => query.get(name)?.slice(0, 10));
      if (lengthOf(query) < 0 && start === end) swapped(query);
    }),
    'one-instance': asksInstead('lets endTime be before startTime with a resourceUuid', (query) => {
      if (query.has('resourceUuid') && lengthOf(query) < 0) swapped(query);
    }),
  },

  'metrics.parameters.label-and-unit-unsupported': {
    '': asksInstead('ignores the parameters label and unit', (query) => {
      query.delete('label');
      query.delete('unit');
    }),
    unit: asksInstead('ignores the parameter unit in grouped questions', (query) => {
      if (isGrouped(query)) query.delete('unit');
    }),
    dimension: asksInstead('leaves label out of groupBy', (query) => {
      withoutDimension(query, 'label', 0);
    }),
    'later-dimension': asksInstead('leaves unit out of groupBy behind another dimension', (query) => {
      withoutDimension(query, 'unit', 1);
    }),
  },

  'metrics.answer.shape-and-echo': {
    '': answersInstead('echoes the whole hours of the window', (body) => {
      body.startTime = timestamp(Math.floor(Date.parse(body.startTime) / HOUR) * HOUR);
    }),
    'end-inclusive': answersInstead('echoes the last second in place of the end', (body) => {
      body.endTime = timestamp(Date.parse(body.endTime) - SECOND);
    }),
    'date-only': answersInstead('echoes a date with monthly', (body) => {
      if (body.resolution === 'monthly') body.startTime = body.startTime.slice(0, 10);
    }),
    'no-groups': answersInstead('gives null for no groups', (body) => {
      if (body.data.length === 0) body.data = null as never;
    }),
    'later-pages': answersInstead('echoes no window on later pages', (body, query) => {
      if (query.has('cursor')) body.startTime = '';
    }),
    // Whoever adds up costs, or follows pages, meets these two as well.
    'total-as-text': answersInstead('gives the total as text with weekly', (body) => {
      if (body.resolution === 'weekly') body.summary.totalCost = String(body.summary.totalCost) as never;
    }),
    'has-more-as-text': answersInstead('gives hasMore as text', (body) => {
      body.meta.hasMore = String(body.meta.hasMore) as never;
    }),
  },
});

function withoutDimension(query: URLSearchParams, name: string, from: number): void {
  const names = query.get('groupBy')?.split(',') ?? [];
  if (names.indexOf(name) < from) return;
  const rest = names.filter((other) => other !== name);
  if (rest.length === 0) query.delete('groupBy');
  else query.set('groupBy', rest.join(','));
}
