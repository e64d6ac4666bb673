/** metrics.buckets.alignment and metrics.pagination.*: where buckets begin, what a year is, in which order and on which pages groups come. */
import type { Resolution } from '../../../spec/generated/types.ts';
import {
  GROUP_ORDERS,
  type CursorBond,
  type Cut,
  type MetricsChoices,
  type Year,
  type YearLength,
} from '../../metrics/options.ts';
import { cannot, follows, ofForm, oneOf, type ChoicesPart, type Follow, type Point, type Points } from '../point.ts';

const choose = (metrics: ChoicesPart<MetricsChoices>): Follow => ({ choices: { metrics } });

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const BEGINS = /^first bucket (at|before|after) startTime, second .+Z$/;
const BEGINS_ALLOWED = 'where the first two begin, as "first bucket at startTime, second on a Monday at 00:00:00Z"';
const FIRSTS: readonly Cut['first'][] = ['at startTime', 'before startTime'];

/** `seconds`: where the second bucket begins where they are counted from startTime on, and where with the calendar. */
function begins(own: string, resolution: Resolution, seconds: { startTime: string; calendar: Calendar }): Point {
  const words = (first: Cut['first'], second: string) => `first bucket ${first}, second ${second}`;
  const cuts = new Map<string, Cut>([
    [words('at startTime', seconds.startTime), { at: 'startTime', first: 'at startTime' }],
    ...Object.entries(seconds.calendar).flatMap(([second, at]) =>
      FIRSTS.map((first) => [words(first, second), { at, first }] as const),
    ),
  ]);
  const ownCut = cuts.get(own);
  const point = ofForm(own, BEGINS_ALLOWED, BEGINS, (_, saw) => {
    const cut = cuts.get(saw);
    return cut === undefined
      ? cannot('its buckets begin neither at startTime nor with the calendar in UTC')
      : choose({ cuts: { [resolution]: cut } });
  });
  return { ...point, ...(ownCut && { ownChoices: { metrics: { cuts: { [resolution]: ownCut } } } }) };
}

type Calendar = Readonly<Record<string, Cut['at']>>;

const midnights: Calendar = Object.fromEntries(
  WEEKDAYS.map((day, weekday) => [`on a ${day} at 00:00:00Z`, { weekday }]),
);

function weekly(from: string): Point {
  const startTime = `on a ${from} at 10:00:00Z`;
  return begins(`first bucket at startTime, second ${startTime}`, 'weekly', { startTime, calendar: midnights });
}

const LENGTHS: readonly YearLength[] = ['365 days less a second', '365 days', '365 days and a second', '366 days'];
const YEARS: readonly Year[] = ['a common year', 'a leap year'];

function picked(at: `${YearLength} of ${Year}`): Point {
  const own = at.startsWith('365 days less') ? 'weekly' : 'monthly';
  return ofForm(own, '"weekly" or "monthly"', /^(weekly|monthly|[45]\d\d)$/, (_, saw) => {
    if (saw !== 'weekly' && saw !== 'monthly') return cannot('a resolution is picked for any window');
    return saw === 'weekly' && at.startsWith('366')
      ? cannot('the mock picks monthly from 366 days on')
      : choose({ picked: { [at]: saw } });
  });
}

function asked(at: `${YearLength} of ${Year}`): Point {
  return ofForm('200', '"200" or the status of a refusal', /^(200|[45]\d\d)$/, (_, saw) => {
    if (saw === '200') return follows;
    return saw === '400'
      ? choose({ weekly: { [at]: 'refused' } })
      : cannot('a window beyond the cap is refused with 400 (metrics.resolution.*)');
  });
}

const years: Points = Object.fromEntries(
  YEARS.flatMap((year) =>
    LENGTHS.flatMap((length) => [
      [`resolution picked for ${length} of ${year}`, picked(`${length} of ${year}`)],
      [`weekly asked for ${length} of ${year}`, asked(`${length} of ${year}`)],
    ]),
  ),
);

export const alignmentPoints: Points = {
  ...Object.fromEntries(
    ['Monday', 'Tuesday', 'Thursday'].map((day) => [
      `weekly buckets of a window from a ${day} at 10:00 on`,
      weekly(day),
    ]),
  ),
  // These windows begin at 01:45, at 10:00, and on day 15 at 10:00.
  'hourly buckets of a window that is not aligned': begins('first bucket at startTime, second at 02:00:00Z', 'hourly', {
    startTime: 'at 02:45:00Z',
    calendar: { 'at 02:00:00Z': 'calendar' },
  }),
  'daily buckets of a window that is not aligned': begins('first bucket at startTime, second at 00:00:00Z', 'daily', {
    startTime: 'at 10:00:00Z',
    calendar: { 'at 00:00:00Z': 'calendar' },
  }),
  'monthly buckets of a window that is not aligned': begins(
    'first bucket at startTime, second on day 1 at 00:00:00Z',
    'monthly',
    { startTime: 'on day 15 at 10:00:00Z', calendar: { 'on day 1 at 00:00:00Z': 'calendar' } },
  ),
  ...years,
};

const GOES_ON = '200, goes on from there';

/** Whether the rest of the same groups comes, or of others. */
const RESTS: Readonly<Record<CursorBond, string>> = {
  window: GOES_ON,
  resolution: GOES_ON,
  limit: GOES_ON,
  groupBy: '200',
  filters: '200',
};

/** A cursor in another question than its own. */
function cursor(own: string, bond: CursorBond): Point {
  const free = RESTS[bond];
  const ownChoices = { metrics: { cursor: { [bond]: own === free ? 'free' : 'bound' } } } as const;
  const point = ofForm(
    own,
    `"${free}" or the status of a refusal`,
    /^(?<status>200|[45]\d\d)$|^200, goes on from there$/,
    (_, saw) => {
      if (saw === free) return choose({ cursor: { [bond]: 'free' } });
      if (saw === '400') return choose({ cursor: { [bond]: 'bound' } });
      return cannot(
        saw.startsWith('200')
          ? 'a cursor of the mock goes by a group: the rest of the groups is what comes'
          : 'a wrong cursor is refused with 400',
      );
    },
  );
  return { ...point, ownChoices };
}

export const cursorPoints: Points = {
  'a cursor with another limit': cursor(GOES_ON, 'limit'),
  'a cursor without limit': cursor(GOES_ON, 'limit'),
  'a cursor with another groupBy': cursor('400', 'groupBy'),
  'a cursor with the same groupBy in another order': oneOf(GOES_ON, {
    '400': () => cannot('the order of groupBy never matters (metrics.group-by.order-irrelevant)'),
  }),
  'a cursor without groupBy': ofForm('400', '"200" or "400"', /^(200|400)$/, () =>
    choose({ cursorWithoutGroupBy: 'ignored' }),
  ),
  'a cursor with another window': cursor('400', 'window'),
  'a cursor with another resolution': cursor('400', 'resolution'),
  'a cursor with a filter more': cursor('400', 'filters'),
  'a cursor altered in its last character': oneOf('400', {
    '200': () => cannot('a cursor of the mock is sealed as a whole'),
    [GOES_ON]: () => cannot('a cursor of the mock is sealed as a whole'),
  }),
};

export const fullPagesPoints: Points = {
  'pages before the last one': oneOf('all full', { 'some are not full': () => choose({ pages: 'some are not full' }) }),
  'the last page where the groups fill all pages': oneOf('has groups', {
    'empty: hasMore was still true on the full one': () => choose({ end: 'told on an empty page' }),
  }),
};

export const orderPoints: Points = {
  'the order of groups': oneOf(
    'by names, ascending',
    Object.fromEntries(GROUP_ORDERS.slice(1).map((order) => [order, () => choose({ order })])),
  ),
  'groups of a window until now, where resources are created between its pages': oneOf('each once', {
    'some twice or not at all': () => cannot('a cursor of the mock goes by a group, not by a count of groups'),
  }),
};
