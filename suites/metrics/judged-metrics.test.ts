import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import { testExchange, testTarget } from '../testing/test-run.ts';

const SHAPE: MustId = 'resources.shapes.fit-the-schema';

// Loads the suite files of these rules.
await collectCases([
  'metrics.group-by.at-most-three',
  'metrics.pagination.limit-clamped',
  'metrics.parameters.window-required',
  'metrics.resolution.hourly-cap',
  'metrics.roles.admin-may-use-both',
  'metrics.sums.total-usage',
  SHAPE,
]);

const secret = (name: string) => ({ name, value: `secret-of-${name}` });
const credentials = { admin: secret('ADMIN'), member: secret('MEMBER'), scoped: {} };
const ADDRESS = 'http://localhost:1';
const target = testTarget({ address: ADDRESS, target: { account: 'acc-1', credentials } });

interface Sent {
  readonly query?: Record<string, string>;
  readonly caller?: string;
  readonly status?: number;
  readonly cost?: number;
  readonly names?: readonly string[];
  readonly next?: string;
  /** Null: neither the response nor a reliable clock says. */
  readonly sentAt?: string | null;
  /** In place of JSON. */
  readonly text?: string;
}

/** By the clock of a client that is days ahead. */
const RECORDED_AT = Date.UTC(2026, 11, 24);

const day = { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-02T00:00:00Z', resolution: 'daily' };

/** The rules of metrics and shapes that each request breaks. Other tests may have loaded more rules. */
function brokenBy(...sent: readonly Sent[]): (readonly MustId[])[] {
  const book = openJudgeBook(target);
  return sent.map(
    ({
      query = {},
      caller = 'ADMIN',
      status = 200,
      cost = 1,
      names = ['a'],
      next = '',
      sentAt = '2026-11-20T00:00:00Z',
      text,
    }) => {
      const parameters: Record<string, string> = { ...day, ...query };
      const data = names.map((resourceName) => ({
        ...(parameters['groupBy'] && { resourceName, resourceType: 'agent', workspace: 'w' }),
        summary: { cost },
        timeseries: [{ timestamp: parameters['startTime'], cost }],
      }));
      const json = {
        startTime: parameters['startTime'],
        endTime: parameters['endTime'],
        resolution: 'daily',
        summary: { totalCost: cost * names.length },
        data,
        meta: { hasMore: next !== '', nextCursor: next },
      };
      const exchange = {
        ...testExchange,
        surface: 'management' as const,
        operation: 'getAccountMetrics' as const,
        ...(caller !== 'NOBODY' && { credential: caller }),
        request: {
          method: 'GET',
          url: `${ADDRESS}/v0/accounts/acc-1/metrics?${new URLSearchParams(parameters).toString()}`,
          headers: { authorization: `Bearer $${caller}` },
        },
        response: {
          status,
          headers: sentAt === null ? {} : { date: new Date(sentAt).toUTCString() },
          text: text ?? JSON.stringify(json),
          json: text === undefined ? json : undefined,
        },
      };
      const broken = book.judge({ ...exchange, sentAt: RECORDED_AT });
      return [...broken.keys()].filter((rule) => rule.startsWith('metrics.') || rule === SHAPE);
    },
  );
}

const byName = { groupBy: 'resource_name' };

test.each<[string, Sent]>([
  ['an empty groupBy', { query: { groupBy: '' } }],
  ['a comma after the last dimension', { query: { groupBy: 'resource_name,' } }],
  ['spaces around dimensions', { query: { groupBy: ' resource_name , workspace' } }],
  ['an offset without its colon', { query: { endTime: '2026-11-02T00:00:00+0000' } }],
  ['a plus sign that is not encoded', { query: { endTime: '2026-11-02T00:00:00 00:00' } }],
  ['a space for T', { query: { endTime: '2026-11-02 00:00:00Z' } }],
  ['a leap second', { query: { startTime: '2026-10-31T23:59:60Z' } }],
  ['an empty limit', { query: { ...byName, limit: '' } }],
  ['a limit with a sign', { query: { ...byName, limit: '+1' } }],
  ['an empty resolution', { query: { resolution: '' } }],
  ['a limit of 0', { query: { ...byName, limit: '0' } }],
])('%s may be accepted', (_, sent) => {
  expect(brokenBy(sent)).toEqual([[]]);
});

test.each<[string, Sent]>([
  ['a query with headers that are too large for a gateway', { query: byName, status: 400, text: '<html>' }],
  ['a query that a gateway blocks', { query: { workspace: 'w' }, caller: 'MEMBER', status: 403, text: '<html>' }],
  ['a resourceName that no resource can have', { query: { resourceName: 'a'.repeat(200) }, status: 400 }],
  ['a limit without groupBy', { query: { limit: '5' }, status: 400 }],
  ['a parameter that is not documented', { query: { colour: 'blue' }, status: 400 }],
  ['a window in the future', { sentAt: '2026-11-01T12:00:00Z', status: 400 }],
  ['an empty window', { query: { endTime: day.startTime }, status: 400 }],
  ['fractions of a second', { query: { startTime: '2026-11-01T00:00:00.123456789Z' }, status: 400 }],
  ['a window of less than an hour', { query: { endTime: '2026-11-01T00:59:59Z' }, status: 400 }],
  ['a caller that nobody knows', { caller: 'NOBODY', status: 400 }],
  ['a cursor that was not seen', { query: { ...byName, cursor: 'c1' }, status: 400 }],
  ['an invalid query of an account that may not exist', { query: { limit: 'x', ...byName }, status: 403 }],
  ['workspace= of a member whose token has ended', { query: { workspace: 'w' }, caller: 'MEMBER', status: 401 }],
  [
    'workspace= of a member that has another flaw',
    { query: { workspace: 'w', label: 'a' }, caller: 'MEMBER', status: 400 },
  ],
])('%s may be refused', (_, sent) => {
  expect(brokenBy(sent)).toEqual([[]]);
});

test('a valid query is accepted', () => {
  const [broken] = brokenBy({ query: byName, status: 400 });
  expect(broken).toContain('metrics.group-by.every-set-accepted');
  expect(broken).toContain('metrics.resolution.explicit-echoed');
});

const stable: MustId = 'metrics.sums.past-is-stable';

test('figures of a settled window stay', () => {
  expect(brokenBy({}, { cost: 2 })[1]).toContain(stable);
});

test.each<[string, readonly Sent[]]>([
  ['for two callers that nobody knows', [{ caller: 'NOBODY' }, { caller: 'NOBODY', cost: 2 }]],
  ['for two callers', [{}, { caller: 'MEMBER', cost: 2 }]],
  ['in a window that is not settled', [{ sentAt: '2026-11-03T00:00:00Z' }, { cost: 2 }]],
])('figures may differ %s', (_, sent) => {
  expect(brokenBy(...sent)).toEqual([[], []]);
});

const once: MustId = 'metrics.pagination.every-group-once';

test('a walk has each group once', () => {
  const second = { query: { ...byName, cursor: 'c1' } };
  expect(brokenBy({ query: byName, next: 'c1' }, { ...second, names: ['b'] })).toEqual([[], []]);
  expect(brokenBy({ query: byName, next: 'c1' }, second)[1]).toContain(once);
  expect(brokenBy({ query: byName, next: 'c1' }, { ...second, status: 400 })[1]).toContain(once);
});

test('nothing is said about cursors of other queries, about late ones, and about redacted ones', () => {
  const first = { query: byName, next: 'c1' };
  expect(brokenBy(first, { query: { ...byName, limit: '5', cursor: 'c1' } })).toEqual([[], []]);
  const late = { query: { ...byName, cursor: 'c1' }, status: 400, sentAt: '2026-11-21T00:00:00Z' };
  expect(brokenBy(first, late)).toEqual([[], []]);
  expect(brokenBy({ query: byName, next: '$A_TOKEN' }, { query: { ...byName, cursor: '$A_TOKEN' } })).toEqual([[], []]);
});

test('without the time of the server, nothing is past: the clock of the recording may be days off', () => {
  const refused = { query: byName, status: 400 };
  expect(brokenBy({ ...refused, sentAt: null })).toEqual([[]]);
  expect(brokenBy({ sentAt: null }, { cost: 2, sentAt: null })).toEqual([[], []]);
});
