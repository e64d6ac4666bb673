/** Deviations of pages and cursors. */
import type { Table } from '../table.ts';
import { bodyOf } from '../../wrap/wrapping.ts';
import { all, any, when, type Condition } from '../conditions.ts';
import * as the from './conditions.ts';
import {
  dimensionCount,
  grouped,
  groupedBy,
  has,
  inBuckets,
  is,
  lacks,
  laterPage,
  parameter,
  ungrouped,
} from './conditions.ts';
import * as memory from './cursor-memory.ts';
import { changeBody, changeEntries, ignore, read, refuse, scale, set, setMeta, type Body } from './effects.ts';

const invalidLimit = parameter('limit', /[^\d]/);
const limitAbove = (bound: number): Condition => the.limit(`above ${bound}`, (limit) => limit > bound);
const limitAtMost = (bound: number): Condition => the.limit(`of at most ${bound}`, (limit) => limit <= bound);
const limitIs = (value: number): Condition => the.limit(`of ${value}`, (limit) => limit === value);
const smallLimit = parameter('limit', /^[1-9]\d?$/);

/** Of the query as sent, before decoding. */
const cursorAsSent = (name: string, form: RegExp): Condition =>
  when(name, ({ querystring }) => form.test(/(?:^|&)cursor=([^&]*)/.exec(querystring)?.[1] ?? ''));

const oneMore = read('limit', (limit) => String(Number(limit) + 1));
const endCursor = changeBody(({ meta }) => {
  if (!meta.hasMore) meta.nextCursor = 'end';
}, 'change cursor');
const dropFirst = changeBody(({ data }) => data.shift(), 'drop entry');

/** Up to 24 prefixes or suffixes of a cursor. */
const shortened = (cursor: string, cut: (at: number) => string): string[] =>
  Array.from({ length: Math.min(24, cursor.length - 1) }, (_, at) => cut(at));

export const paginationDeviations: Table = {
  'metrics.pagination.limit-is-a-count': {
    'uses the default for an invalid limit': [invalidLimit, ignore('limit')],
    'ignores the sign of a negative limit': [invalidLimit, read('limit', (limit) => limit.replace(/^-(?=\d+$)/, ''))],
    'truncates a fractional limit': [invalidLimit, read('limit', (limit) => limit.replace(/^([1-9]\d*)\.\d+$/, '$1'))],
    'accepts a limit that starts with a number': [
      invalidLimit,
      read('limit', (limit) => limit.replace(/^([1-9]\d*)[^\d.].*$/s, '$1')),
    ],
    'ignores an invalid limit if a cursor is sent': [
      laterPage,
      read('limit', (limit) => (/^[1-9]\d*$/.test(limit) ? limit : undefined)),
    ],
  },
  'metrics.pagination.foreign-cursor-refused': {
    'returns the first page for an unknown cursor': memory.tolerateCursor(() => [undefined]),
    'returns the first page for a number as cursor': memory.tolerateCursor((cursor) =>
      /^-?\d+$/.test(cursor) ? [undefined] : [],
    ),
    'returns the first page for a positive number as cursor': memory.tolerateCursor((cursor) =>
      /^\d+$/.test(cursor) ? [undefined] : [],
    ),
    'ignores characters after a cursor': memory.tolerateCursor((cursor) =>
      shortened(cursor, (at) => cursor.slice(0, -1 - at)),
    ),
    'ignores characters before a cursor': memory.tolerateCursor((cursor) =>
      shortened(cursor, (at) => cursor.slice(at + 1)),
    ),
  },
  'metrics.pagination.page-within-limit': {
    'returns one entry more than limit': [smallLimit, oneMore],
    'returns one entry more than limit on later pages': [all(laterPage, smallLimit), oneMore],
    'returns 150 entries without limit': [all(lacks('limit'), grouped), memory.joinPages(50)],
    'ignores limit for instances': [all(groupedBy('resource_uuid'), parameter('limit', /^\d+$/)), ignore('limit')],
    'returns two entries for limit=1': [is('limit', '1'), set('limit', '2')],
    'ignores limit if a filter is sent': [any(has('resourceType'), has('billingDimension')), ignore('limit')],
    'ignores limit for hourly': [the.requests('hourly'), ignore('limit')],
  },
  'metrics.pagination.limit-clamped': {
    'refuses a limit above 100': [limitAbove(100), refuse()],
    'refuses a limit above 1000': [limitAbove(1000), refuse()],
    'clamps a limit above 100 to 50': [limitAbove(100), set('limit', '50')],
    'returns 101 entries for limit=101': [is('limit', '101'), memory.joinPages(1)],
    'reads limit as a 16-bit number': [
      limitAbove(65_535),
      read('limit', (limit) => String(Number(limit) % 65_536 || 1)),
    ],
    'refuses a limit above 100 from API keys': [all(limitAbove(100), the.byApiKey), refuse()],
    'refuses a limit above 100 if resourceType is sent': [all(limitAbove(100), has('resourceType')), refuse()],
  },
  'metrics.pagination.has-more-and-cursor-agree': {
    'returns a cursor on the last page': [grouped, endCursor],
    'announces more entries without a cursor if the last page is full': [
      grouped,
      changeBody((body, query) => {
        if (!body.meta.hasMore && body.data.length === the.limitOf(query)) body.meta.hasMore = true;
      }, 'change cursor'),
    ],
    'returns null as the cursor of an empty response': changeBody(({ data, meta }) => {
      if (data.length === 0) meta.nextCursor = null as never;
    }, 'change cursor'),
    'omits nextCursor if nothing is grouped': [
      ungrouped,
      changeBody((body) => delete (body.meta as Partial<Body['meta']>).nextCursor, 'change cursor'),
    ],
    'returns a cursor on the last page of instances': [groupedBy('resource_uuid'), endCursor],
    'returns a cursor on the last page of monthly groups': [all(grouped, inBuckets('monthly')), endCursor],
    'returns a cursor on the last page if resourceName is sent and has cost': [
      all(grouped, has('resourceName')),
      changeBody(({ data, meta }) => {
        if (data.length > 0 && !meta.hasMore) meta.nextCursor = 'end';
      }, 'change cursor'),
    ],
  },
  'metrics.pagination.every-group-once': {
    'repeats a group at the boundary of pages of 2 to 15': [
      the.limit('from 2 to 15', (limit) => limit >= 2 && limit <= 15),
      memory.repeatAtBoundary,
    ],
    // The rule that limits change nothing else detects a missing group too.
    'omits the first group of later pages of at most 20': [all(laterPage, limitAtMost(20)), dropFirst],
    'returns the last page again and again for limit=7': [
      all(laterPage, limitIs(7)),
      changeBody((body, query) => {
        if (!body.meta.hasMore) body.meta = { hasMore: true, nextCursor: query.get('cursor')! };
      }, 'change cursor'),
    ],
    'returns the second page again and again without limit': [
      all(laterPage, lacks('limit')),
      changeBody((body, query) => (body.meta = { hasMore: true, nextCursor: query.get('cursor')! }), 'change cursor'),
    ],
    'refuses every cursor': [laterPage, refuse()],
    'refuses cursors of two dimensions without limit': [all(laterPage, lacks('limit'), dimensionCount(2)), refuse()],
    'ends after the second page for a limit below 100': [
      all(laterPage, limitAtMost(99)),
      setMeta({ hasMore: false, nextCursor: '' }),
    ],
    'omits the first instance of later pages': [all(laterPage, groupedBy('resource_uuid')), dropFirst],
    'omits the first group of later hourly pages': [all(laterPage, the.requests('hourly')), dropFirst],
    'omits the first group of later pages of one billing dimension': [
      all(laterPage, has('billingDimension')),
      dropFirst,
    ],
    'omits a group if a function is created between two pages': memory.whenCalledBetweenPages(
      'drop entry',
      ['createFunction'],
      ({ data }) => data.shift(),
    ),
    'repeats a group if a VPC is deleted between two pages': memory.whenCalledBetweenPages(
      'repeat entry',
      ['deleteVpc'],
      ({ data }, before) => data.unshift(before),
    ),
  },
  'metrics.pagination.limit-changes-nothing-else': {
    'returns higher figures for a limit of at most 10': [limitAtMost(10), scale(1.001)],
    'returns no cost in the last bucket for limit=64': [
      limitIs(64),
      changeEntries(({ timeseries }) => {
        if (timeseries.length > 0) timeseries.at(-1)!.cost = 0;
      }),
    ],
  },
  'metrics.pagination.cursor-repeatable': {
    'omits a group if a cursor is used twice': memory.whenCursorReused('drop entry', (ctx) => {
      if (ctx.state.reply?.status !== 200) return;
      const body = bodyOf(ctx) as Body;
      body.data.pop();
      ctx.state.reply = { status: 200, body };
    }),
    'refuses a cursor that is used twice': memory.whenCursorReused('refuse', ({ state }) => {
      const message = 'This cursor was used before.';
      state.reply = { status: 400, body: { error: 'used_up', code: 400, message } };
    }),
  },
  'metrics.pagination.cursor-survives-encoding': {
    'refuses a percent-encoded cursor': [cursorAsSent('a percent-encoded cursor', /%/), refuse()],
    'refuses percent-encoding in lower case': [
      cursorAsSent('a lower-case percent-encoded cursor', /%(?:[a-f][0-9a-f]|[0-9][a-f])/),
      refuse(),
    ],
  },
};
