/** Deviations of pages and cursors. */
import { across, type Row, type Table } from '../table.ts';
import { bodyOf } from '../../wrap/wrapping.ts';
import { all, always, any, not, when, type Condition } from '../conditions.ts';
import * as by from './conditions.ts';
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
const limitAbove = (bound: number): Condition => by.limit(`above ${bound}`, (limit) => limit > bound);
const limitAtMost = (bound: number): Condition => by.limit(`of at most ${bound}`, (limit) => limit <= bound);
const limitIs = (value: number): Condition => by.limit(`of ${value}`, (limit) => limit === value);
const smallLimit = parameter('limit', /^[1-9]\d?$/);

/** Of the query as sent, before decoding. */
const cursorAsSent = (name: string, form: RegExp): Condition =>
  when(name, ({ querystring }) => form.test(/(?:^|&)cursor=([^&]*)/.exec(querystring)?.[1] ?? ''));

const oneMore = read('limit', (limit) => String(Number(limit) + 1));
const lastPage = by.response('on the last page', ({ meta }) => !meta.hasMore);
const endCursor = setMeta({ nextCursor: 'end' });
const sameCursor = changeBody((body, query) => {
  body.meta = { hasMore: true, nextCursor: query.get('cursor')! };
}, 'change cursor');
const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text);
const dropFirst = changeBody(({ data }) => data.shift(), 'drop entry');

const withData = by.response('with entries', ({ data }) => data.length > 0);
const readInvalid = (edit: (limit: string) => string): Row => [invalidLimit, read('limit', edit)];
const firstPageFor = (form: RegExp): Row => memory.tolerateCursor((cursor) => (form.test(cursor) ? [undefined] : []));
/** Up to 24 prefixes or suffixes of a cursor. */
const shortenCursor = (cut: (cursor: string, at: number) => string): Row =>
  memory.tolerateCursor((cursor) =>
    Array.from({ length: Math.min(24, cursor.length - 1) }, (_, at) => cut(cursor, at)),
  );

export const paginationDeviations: Table = {
  'metrics.pagination.limit-is-a-count': {
    'uses the default for an invalid limit': [invalidLimit, ignore('limit')],
    'ignores the sign of a negative limit': readInvalid((limit) => limit.replace(/^-(?=\d+$)/, '')),
    'truncates a fractional limit': readInvalid((limit) => limit.replace(/^([1-9]\d*)\.\d+$/, '$1')),
    'accepts a limit that starts with a number': readInvalid((limit) => limit.replace(/^([1-9]\d*)[^\d.].*$/s, '$1')),
    'ignores an invalid limit if a cursor is sent': [
      laterPage,
      read('limit', (limit) => (isCount(limit) ? limit : undefined)),
    ],
  },
  'metrics.pagination.foreign-cursor-refused': {
    'returns the first page for an unknown cursor': firstPageFor(/^/),
    'returns the first page for a number as cursor': firstPageFor(/^-?\d+$/),
    'returns the first page for a positive number as cursor': firstPageFor(/^\d+$/),
    'ignores characters after a cursor': shortenCursor((cursor, at) => cursor.slice(0, -1 - at)),
    'ignores characters before a cursor': shortenCursor((cursor, at) => cursor.slice(at + 1)),
  },
  'metrics.pagination.page-within-limit': {
    ...across([always, laterPage], { 'returns one entry more than limit': [smallLimit, oneMore] }),
    'returns 150 entries without limit': [all(lacks('limit'), grouped), memory.joinPages(50)],
    'returns two entries for limit=1': [is('limit', '1'), set('limit', '2')],
    ...across(
      [
        all(groupedBy('resource_uuid'), parameter('limit', /^\d+$/)),
        any(has('resourceType'), has('billingDimension')),
        by.requests('hourly'),
      ],
      { 'ignores limit': ignore('limit') },
    ),
  },
  'metrics.pagination.limit-clamped': {
    ...across(
      [
        limitAbove(100),
        limitAbove(1000),
        limitAbove(2_147_483_647),
        all(limitAbove(100), by.byApiKey),
        all(limitAbove(100), has('resourceType')),
      ],
      { 'refuses requests': refuse() },
    ),
    'clamps a limit above 100 to 50': [limitAbove(100), set('limit', '50')],
    'returns 101 entries for limit=101': [is('limit', '101'), memory.joinPages(1)],
    'reads limit as a 16-bit number': [
      limitAbove(65_535),
      read('limit', (limit) => String(Number(limit) % 65_536 || 1)),
    ],
  },
  'metrics.pagination.has-more-and-cursor-agree': {
    ...across(
      [
        grouped,
        groupedBy('resource_uuid'),
        all(grouped, inBuckets('monthly')),
        all(grouped, has('resourceName'), withData),
      ],
      { 'returns a cursor on the last page': [lastPage, endCursor] },
    ),
    'announces more entries without a cursor if the last page is full': [
      all(grouped, lastPage),
      changeBody((body, query) => {
        if (body.data.length === by.limitOf(query)) body.meta.hasMore = true;
      }, 'change cursor'),
    ],
    'returns null as the cursor of an empty response': [not(withData), setMeta({ nextCursor: null as never })],
    'omits nextCursor if nothing is grouped': [ungrouped, setMeta({ nextCursor: undefined as never })],
  },
  'metrics.pagination.every-group-once': {
    'repeats a group at the boundary of pages of 2 to 15': [
      by.limit('from 2 to 15', (limit) => limit >= 2 && limit <= 15),
      memory.repeatAtBoundary,
    ],
    // The rule that limits change nothing else detects a missing group too.
    ...across([limitAtMost(20), groupedBy('resource_uuid'), by.requests('hourly'), has('billingDimension')], {
      'omits the first group of later pages': [laterPage, dropFirst],
    }),
    'returns the last page again and again for limit=7': [all(laterPage, limitIs(7), lastPage), sameCursor],
    'returns the second page again and again without limit': [all(laterPage, lacks('limit')), sameCursor],
    ...across([always, all(lacks('limit'), dimensionCount(2))], { 'refuses every cursor': [laterPage, refuse()] }),
    'ends after the second page for a limit below 100': [
      all(laterPage, limitAtMost(99)),
      setMeta({ hasMore: false, nextCursor: '' }),
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
  },
  'metrics.pagination.cursor-survives-encoding': across(
    [
      cursorAsSent('with a percent-encoded cursor', /%/),
      cursorAsSent('with a lower-case percent-encoded cursor', /%(?:[a-f][0-9a-f]|[0-9][a-f])/),
    ],
    { 'refuses requests': refuse() },
  ),
};
