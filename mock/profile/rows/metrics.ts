/** metrics.buckets.alignment and metrics.pagination.*: where buckets begin, the length of a year, order and pages of groups. */
import { YEAR_LENGTHS, YEARS } from '../../../spec/observations/observation-points.ts';
import { WEEKDAYS } from '../../../spec/observations/value-kind.ts';
import type { CursorBond, Cut, GroupOrder, MetricsChoices } from '../../metrics/options.ts';
import { cannot, choice, type ChoicesPart, type Follow, type Row, type RowsOf } from '../row.ts';

const choose = (metrics: ChoicesPart<MetricsChoices>): Follow => ({ choices: { metrics } });

type Starts = Exclude<
  NonNullable<ValueOfRow<RowsOf<'metrics.buckets.alignment'>['hourly buckets of an unaligned window']>>,
  string
>;
type ValueOfRow<R> = R extends Row<infer Value> ? Value : never;

/** `atStart` and `calendar`: where the second bucket begins if buckets are counted from startTime, or follow the calendar. */
function begins(
  resolution: keyof MetricsChoices['cuts'],
  own: 'startTime' | 'calendar',
  { atStart, calendar }: { atStart: Starts['second']; calendar: (second: Starts['second']) => Cut['at'] | undefined },
  ownSecond = atStart,
): Row<Starts | 'fewer than two buckets'> {
  const cutOf = (value: Starts): Cut | undefined => {
    if (value.first === 'after startTime') return undefined;
    if (value.first === 'at startTime' && isSameStart(value.second, atStart))
      return { at: 'startTime', first: value.first };
    const at = calendar(value.second);
    return at && { at, first: value.first };
  };
  return {
    own: { first: 'at startTime', second: ownSecond },
    ownChoices: { metrics: { cuts: { [resolution]: { at: own, first: 'at startTime' } } } },
    follow: (value) => {
      const cut = typeof value === 'string' ? undefined : cutOf(value);
      return cut === undefined
        ? cannot('its buckets begin neither at startTime nor with the calendar in UTC')
        : choose({ cuts: { [resolution]: cut } });
    },
  };
}

const isSameStart = (a: Starts['second'], b: Starts['second']): boolean =>
  a.time === b.time && a.weekday === b.weekday && a.day === b.day;

const weekly = (weekday: (typeof WEEKDAYS)[number]): Row<Starts | 'fewer than two buckets'> =>
  begins('weekly', 'startTime', {
    atStart: { weekday, time: '10:00:00Z' },
    calendar: (second) =>
      second.time === '00:00:00Z' && second.weekday !== undefined
        ? { weekday: WEEKDAYS.indexOf(second.weekday) }
        : undefined,
  });

const unaligned = (
  resolution: 'hourly' | 'daily' | 'monthly',
  atStart: Starts['second'],
  own: Starts['second'],
): Row<Starts | 'fewer than two buckets'> =>
  begins(
    resolution,
    'calendar',
    { atStart, calendar: (second) => (isSameStart(second, own) ? 'calendar' : undefined) },
    own,
  );

type Window = `${(typeof YEAR_LENGTHS)[number]} of ${(typeof YEARS)[number]}`;
const windows = YEARS.flatMap((year) => YEAR_LENGTHS.map((length): Window => `${length} of ${year}`));

const defaultResolution = (window: Window): Row<{ readonly resolution: string } | { readonly status: number }> => ({
  own: { resolution: window.startsWith('365 days less') ? 'weekly' : 'monthly' },
  follow: (value) => {
    const resolution = 'resolution' in value ? value.resolution : undefined;
    if (resolution !== 'weekly' && resolution !== 'monthly') return cannot('the mock chooses weekly or monthly');
    return resolution === 'weekly' && window.startsWith('366')
      ? cannot('the mock chooses monthly from 366 days')
      : choose({ picked: { [window]: resolution } });
  },
});

const requestedWeekly = (window: Window): Row<{ readonly status: number }> => ({
  own: { status: 200 },
  follow: ({ status }) =>
    status === 400
      ? choose({ weekly: { [window]: 'refused' } })
      : cannot('a window beyond the cap is refused with 400 (metrics.resolution.*)'),
});

export const alignmentRows: RowsOf<'metrics.buckets.alignment'> = {
  'weekly buckets of a window from a Monday at 10:00': weekly('Monday'),
  'weekly buckets of a window from a Tuesday at 10:00': weekly('Tuesday'),
  'weekly buckets of a window from a Thursday at 10:00': weekly('Thursday'),
  // These windows begin at 01:45, at 10:00, and on day 15 at 10:00.
  'hourly buckets of an unaligned window': unaligned('hourly', { time: '02:45:00Z' }, { time: '02:00:00Z' }),
  'daily buckets of an unaligned window': unaligned('daily', { time: '10:00:00Z' }, { time: '00:00:00Z' }),
  'monthly buckets of an unaligned window': unaligned(
    'monthly',
    { day: 15, time: '10:00:00Z' },
    { day: 1, time: '00:00:00Z' },
  ),
  ...Object.fromEntries(windows.map((window) => [`default resolution for ${window}`, defaultResolution(window)])),
  ...Object.fromEntries(windows.map((window) => [`weekly for ${window}`, requestedWeekly(window)])),
};

type Page = { readonly status: number; readonly continues?: boolean | undefined };

const CONTINUES: Page = { status: 200, continues: true };

/** A cursor with another query. `continues`: whether a free cursor continues with the same groups, or with other ones. */
const cursor = (bond: CursorBond, own: 'free' | 'bound', continues: boolean): Row<Page> => ({
  own: own === 'free' ? { status: 200, continues } : { status: 400 },
  ownChoices: { metrics: { cursor: { [bond]: own } } },
  follow: (value) => {
    if (value.status === 400) return choose({ cursor: { [bond]: 'bound' } });
    if (value.status !== 200) return cannot('the mock refuses a wrong cursor with 400');
    return value.continues === continues
      ? choose({ cursor: { [bond]: 'free' } })
      : cannot('a cursor of the mock refers to a group: the groups after it come next');
  },
});

export const cursorRows: RowsOf<'metrics.pagination.cursor-with-other-parameters'> = {
  'a cursor with another limit': cursor('limit', 'free', true),
  'a cursor without limit': cursor('limit', 'free', true),
  'a cursor with another groupBy': cursor('groupBy', 'bound', false),
  'a cursor with the same groupBy in another order': {
    own: CONTINUES,
    follow: () => cannot('the order of groupBy never matters (metrics.group-by.order-irrelevant)'),
  },
  'a cursor without groupBy': {
    own: { status: 400 },
    follow: ({ status, continues }) =>
      status === 200 && continues !== true
        ? choose({ cursorWithoutGroupBy: 'ignored' })
        : cannot('the mock refuses it with 400, or ignores it'),
  },
  'a cursor with another window': cursor('window', 'bound', true),
  'a cursor with another resolution': cursor('resolution', 'bound', true),
  'a cursor with another filter': cursor('filters', 'bound', false),
  'a cursor with its last character altered': {
    own: { status: 400 },
    follow: () => cannot('a cursor of the mock is signed as a whole'),
  },
};

export const fullPagesRows: RowsOf<'metrics.pagination.pages-full'> = {
  'pages before the last one': choice('all full', { 'some not full': choose({ pages: 'some are not full' }) }),
  'the last page if the groups fill all pages': choice('has groups', {
    'empty: hasMore was true on the last full page': choose({ end: 'on an empty page' }),
  }),
};

const order = (by: GroupOrder): Follow => choose({ order: by });

export const orderRows: RowsOf<'metrics.pagination.order'> = {
  'the order of groups': choice('by names, ascending', {
    'by names, descending': order('by names, descending'),
    'by cost, descending': order('by cost, dearest first'),
    'by cost, ascending': order('by cost, cheapest first'),
    'neither names nor cost': order('none of names or cost'),
  }),
  'groups of a window until now while resources are created': choice('each once', {
    'some repeated or missing': cannot('a cursor of the mock refers to a group, not to a count of groups'),
  }),
};
