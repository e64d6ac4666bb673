/** Deviations of required parameters and of the shape of the response. */
import type { Effect } from '../deviation.ts';
import { across, type Table } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from '../../http/reply.ts';
import { isFor } from '../../wrap/wrapping.ts';
import { all, always, whenQuery } from '../conditions.ts';
import { isLeapDay, yearOfWeek } from './calendar.ts';
import {
  DAY,
  endsBeforeStart,
  grouped,
  has,
  HOUR,
  inBuckets,
  lacks,
  laterPage,
  requests,
  windowLength,
} from './conditions.ts';
import { keepWindow } from './cursor-memory.ts';
import { changeBody, changeQuery, ignore, METRICS, refuse, regroup, swapEnds, timestamp } from './effects.ts';

const SECOND = 1000;
const ends = ['startTime', 'endTime'];

/** Corrects invalid timestamps at one or both ends of the window. */
const correct = (edit: (value: string) => string, names: readonly string[] = ends): Effect =>
  changeQuery((query) => {
    for (const name of names) {
      const value = query.get(name);
      if (value !== null) query.set(name, edit(value));
    }
  }, 'accept as corrected');
const replace = (form: RegExp, by: (value: string) => string, names = ends): Effect =>
  correct((value) => (form.test(value) ? by(value) : value), names);

/** Month 13 becomes January of the next year, as Date.UTC reads it. */
function rollOver(value: string): string {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(value);
  const [year = 0, month = 1, ...rest] = found?.slice(1).map(Number) ?? [];
  return found === null ? value : timestamp(Date.UTC(year, month - 1, ...rest));
}

function fromDayOfYear(value: string): string {
  const day = new Date(Date.UTC(Number(value.slice(0, 4)), 0, Number(value.slice(5, 8))));
  return day.toISOString().slice(0, 10) + value.slice(8);
}

/** Sets this end to a day after (or before) the other one. */
const addEnd = (name: string, other: string, shift: number): Effect =>
  changeQuery((query) => query.set(name, timestamp(Date.parse(query.get(other) ?? '') + shift)));
const addEndTime = addEnd('endTime', 'startTime', DAY);
const setWindow = changeQuery((query) => {
  query.set('startTime', '2026-01-01T00:00:00Z');
  query.set('endTime', '2026-01-02T00:00:00Z');
});
const onlyStart = all(has('startTime'), lacks('endTime'));
const onlyEnd = all(has('endTime'), lacks('startTime'));
const unreadableEnds = all(
  has('startTime', 'endTime'),
  whenQuery('for unreadable timestamps', (query) => Number.isNaN(windowLength(query))),
);
const sameDay = whenQuery('if both ends are on one day', (query) => {
  const [start, end] = ends.map((name) => query.get(name)?.slice(0, 10));
  return start === end;
});
const atMostSecondBefore = whenQuery('by at most a second', (query) => windowLength(query) >= -SECOND);
const startsOnLeapDay = whenQuery('for windows that start on 29 February', (query) =>
  isLeapDay(query.get('startTime') ?? ''),
);

/** Removes a dimension unless it is listed before position `from`. */
const removeDimension = (name: string, from: number): Effect =>
  regroup((names) => (names.indexOf(name) < from ? names : names.filter((other) => other !== name)));

/** Requests that arrive while another is being processed get its response. */
const shareResponse: Effect = {
  kind: 'share response',
  wrap: (app) => {
    let pending: Promise<Reply | undefined> | undefined;
    return async (ctx) => {
      if (!isFor(ctx, METRICS)) return app(ctx);
      const other = await pending;
      const shared = other === undefined ? Promise.withResolvers<Reply | undefined>() : undefined;
      pending = shared?.promise ?? pending;
      if (shared !== undefined) await wait(2);
      await app(ctx);
      shared?.resolve(ctx.state.reply);
      if (shared !== undefined) pending = undefined;
      if (other?.status === 200 && ctx.state.reply?.status === 200) ctx.state.reply = other;
    };
  },
};

const midnight = (date: string): string => `${date}T00:00:00Z`;
const changeStart = (edit: (start: string) => string): Effect =>
  changeBody((body) => (body.startTime = edit(body.startTime)));
const shift = (value: string, milliseconds: number): string => timestamp(Date.parse(value) + milliseconds);

export const parametersDeviations: Table = {
  'metrics.parameters.window-required': {
    ...across([always, laterPage], { 'uses the next day if endTime is missing': [onlyStart, addEndTime] }),
    'uses the previous day if startTime is missing': [onlyEnd, addEnd('startTime', 'endTime', -DAY)],
    'requires no window if groupBy and limit are sent': [
      all(has('limit'), grouped, lacks('startTime', 'endTime')),
      setWindow,
    ],
  },
  'metrics.parameters.timestamps-rfc3339': {
    'accepts a date as its midnight': replace(/^\d{4}-\d\d-\d\d$/, midnight),
    'accepts a date as its midnight in endTime': replace(/^\d{4}-\d\d-\d\d$/, midnight, ['endTime']),
    'accepts seconds since 1970 as endTime': replace(/^\d{9,10}$/, (text) => timestamp(Number(text) * SECOND), [
      'endTime',
    ]),
    'accepts milliseconds since 1970': replace(/^\d{12,13}$/, (text) => timestamp(Number(text))),
    'accepts 30 February as 2 March, and month 13 as January': correct(rollOver),
    'accepts 24:00 as the next midnight in startTime': replace(/T24:/, rollOver, ['startTime']),
    'accepts a time without offset as UTC': replace(/T\d\d:\d\d:\d\d$/, (local) => `${local}Z`),
    'accepts an empty startTime': replace(/^$/, () => '2020-01-01T00:00:00Z', ['startTime']),
    'accepts "now" as endTime': replace(/^now$/, () => '2100-01-01T00:00:00Z', ['endTime']),
    'accepts every date that JavaScript can parse': correct((value) =>
      Number.isNaN(Date.parse(value)) ? value : timestamp(Date.parse(value)),
    ),
    'accepts digits of other scripts': correct((value) => value.normalize('NFKC')),
    'accepts a year of six digits': correct((value) => value.replace(/^\+00/, '')),
    'accepts a zone name after the time': correct((value) => value.replace(/Z?(\[UTC\]| ?UTC)$/, 'Z')),
    'ignores an offset of 99 hours and 99 minutes': correct((value) => value.replace(/[+-]99:99$/, 'Z')),
    'accepts the day of the year as a date': replace(/^\d{4}-\d{3}T/, fromDayOfYear),
    'accepts 29 February in every fourth year': correct((value) => value.replace('00-02-29T', '00-03-01T')),
    'accepts a fraction without digits': correct((value) => value.replace(/\.Z$/, 'Z')),
    'uses the window of the cursor for invalid timestamps': [unreadableEnds, keepWindow],
  },
  'metrics.parameters.end-not-before-start': {
    ...across([always, atMostSecondBefore, requests('monthly'), sameDay, has('resourceUuid')], {
      'swaps the ends of a reversed window': [endsBeforeStart, swapEnds],
    }),
    'uses the window of the cursor for endTime before startTime': [endsBeforeStart, keepWindow],
  },
  'metrics.parameters.label-and-unit-unsupported': {
    ...across([always, laterPage], { 'ignores the parameters label and unit': ignore('label', 'unit') }),
    'ignores the parameter unit if grouped': [grouped, ignore('unit')],
    'ignores the dimension label': removeDimension('label', 0),
    'ignores the dimension unit after another dimension': removeDimension('unit', 1),
  },
  'metrics.answer.shape-and-echo': {
    'echoes the window in whole hours': changeStart((start) => shift(start, -(Date.parse(start) % HOUR))),
    'echoes the last second instead of the end': changeBody((body) => (body.endTime = shift(body.endTime, -SECOND))),
    'echoes the start with the offset of another time zone': changeStart((start) =>
      shift(start, 2 * HOUR).replace('Z', '+02:00'),
    ),
    'echoes a date for monthly': [inBuckets('monthly'), changeStart((start) => start.slice(0, 10))],
    'returns null for no groups': changeBody((body) => {
      if (body.data.length === 0) body.data = null as never;
    }),
    'echoes no window on later pages': [laterPage, changeStart(() => '')],
    // Rules that add up costs or follow pages detect these two as well.
    'returns the total as a string for weekly': [
      inBuckets('weekly'),
      changeBody(({ summary }) => (summary.totalCost = String(summary.totalCost) as never)),
    ],
    'returns hasMore as a string': changeBody(({ meta }) => (meta.hasMore = String(meta.hasMore) as never)),
    'echoes the year of the week': changeStart(yearOfWeek),
    'echoes 29 February as 1 March': changeBody((body) => (body.endTime = body.endTime.replace('-02-29T', '-03-01T'))),
    'refuses a window that starts on 29 February': [startsOnLeapDay, refuse()],
    'returns one response to simultaneous requests': shareResponse,
  },
};
