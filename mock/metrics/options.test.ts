/** Metrics with other choices, where the document allows several, than the defaults of the mock. */
import { expect, test } from 'vitest';
import { defaultMetricsChoices, GROUP_ORDERS, type Cut, type MetricsChoices } from './options.ts';
import { bucketEdges, firstTimestamp } from './buckets.ts';
import type { Resolution } from './resolutions.ts';
import { allowedResolutions, selectResolution } from './resolutions.ts';
import { sortGroups } from './sort-groups.ts';
import { pageOf } from './pages.ts';
import { DAY, printInstant } from './windows.ts';

const own = defaultMetricsChoices;
const windowOf = (start: string, end: string) => ({ start: Date.parse(start), end: Date.parse(end) });

test.each<[Resolution, Cut['at'], string, string[]]>([
  ['hourly', 'startTime', '2026-10-01T01:45:00Z', ['2026-10-01T01:45:00Z', '2026-10-01T02:45:00Z']],
  ['daily', 'startTime', '2026-10-01T10:00:00Z', ['2026-10-01T10:00:00Z', '2026-10-02T10:00:00Z']],
  ['weekly', { weekday: 0 }, '2026-10-06T10:00:00Z', ['2026-10-04T00:00:00Z', '2026-10-11T00:00:00Z']],
  ['weekly', { weekday: 1 }, '2026-10-06T10:00:00Z', ['2026-10-05T00:00:00Z', '2026-10-12T00:00:00Z']],
  ['weekly', { weekday: 2 }, '2026-10-06T00:00:00Z', ['2026-10-06T00:00:00Z', '2026-10-13T00:00:00Z']],
  ['monthly', 'startTime', '2026-10-15T10:00:00Z', ['2026-10-15T10:00:00Z', '2026-11-15T10:00:00Z']],
  ['monthly', 'startTime', '2026-01-31T00:00:00Z', ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z']],
])('%s buckets aligned to %j from %s begin as configured', (resolution, at, start, expected) => {
  const window = windowOf(start, '2027-06-01T00:00:00Z');
  const cut: Cut = { at, first: 'before startTime' };
  const edges = bucketEdges(window, resolution, cut);
  expect([firstTimestamp(window, resolution, cut), edges[1] ?? 0].map(printInstant)).toEqual(expected);
  expect(edges[0]).toBe(window.start);
  expect(edges.at(-1)).toBe(window.end);
  expect(edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0))).toBe(true);
});

test('months that start on day 31 end on the last day of shorter months', () => {
  const cut: Cut = { at: 'startTime', first: 'at startTime' };
  const edges = bucketEdges(windowOf('2027-12-31T00:00:00Z', '2028-04-30T00:00:00Z'), 'monthly', cut);
  expect(edges.map(printInstant)).toEqual([
    '2027-12-31T00:00:00Z',
    '2028-01-31T00:00:00Z',
    '2028-02-29T00:00:00Z',
    '2028-03-31T00:00:00Z',
    '2028-04-30T00:00:00Z',
  ]);
});

test('a calendar year that contains 29 February has 366 days', () => {
  const picked = { '365 days of a common year': 'monthly', '365 days of a leap year': 'weekly' } as const;
  const weekly = { '365 days and a second of a common year': 'refused' } as const;
  const choices: MetricsChoices = { ...own, picked, weekly };
  const yearFrom = (start: string, days: number) => ({ start: Date.parse(start), end: Date.parse(start) + days * DAY });
  const [common, leap] = ['2025-03-01T00:00:00Z', '2027-03-01T00:00:00Z'];
  expect(selectResolution(yearFrom(common, 365), choices)).toBe('monthly');
  expect(selectResolution(yearFrom(leap, 365), choices)).toBe('weekly');
  expect(selectResolution(yearFrom(leap, 365.5), choices)).toBe('weekly');
  expect(selectResolution(yearFrom(leap, 366), choices)).toBe('monthly');
  expect(allowedResolutions(yearFrom(common, 365), choices)).toContain('weekly');
  expect(allowedResolutions(yearFrom(common, 365.5), choices)).toEqual(['monthly']);
  expect(allowedResolutions(yearFrom(leap, 366), choices)).toContain('weekly');
});

const groups = [...'abcdefghij'].map((name, at) => ({ key: [name], cost: (at * 7) % 10 }));

test.each(GROUP_ORDERS)('pages of groups ordered by %s contain every group exactly once', (order) => {
  const ordered = sortGroups(groups, order, 1);
  for (const pages of ['all full', 'some are not full'] as const) {
    for (const end of ['on the last group', 'on an empty page'] as const) {
      const pagesRead = walk(ordered, { ...own, order, pages, end });
      expect(pagesRead.flat()).toEqual(ordered);
      expect(pagesRead.at(-1)?.length === 0).toBe(end === 'on an empty page');
    }
  }
});

/** Reads all pages until hasMore is false. Ten groups divide evenly into pages of two and of one. */
function walk(ordered: readonly (typeof groups)[number][], choices: MetricsChoices) {
  const pages = [];
  let after: string[] | undefined;
  for (let more = true; more && pages.length < 20;) {
    const page = pageOf(ordered, after, 2, 24, choices, (group) => group);
    pages.push(page.groups);
    after = page.groups.at(-1)?.key;
    more = page.hasMore;
  }
  return pages;
}

test('groups are ordered by cost, or by neither cost nor name', () => {
  const costs = sortGroups(groups, 'by cost, dearest first', 1).map(({ cost }) => cost);
  expect(costs).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  const names = sortGroups(groups, 'none of names or cost', 1).map(({ key }) => key[0]);
  expect(new Set(names)).toEqual(new Set('abcdefghij'));
  expect(names).not.toEqual([...'abcdefghij']);
});
