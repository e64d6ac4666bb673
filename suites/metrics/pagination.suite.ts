/** metrics.pagination.*: pages of groups, and the cursors between them. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { shareOf } from '../engine/for-all.ts';
import { foreignText, inventedCursor, inventedCursors } from '../generators/invented-value.ts';
import { notACount, notCounts } from '../generators/not-a-count.ts';
import { answerOf, askMetrics, needAnswered } from '../kit/metrics/ask.ts';
import type { MetricsQuery } from '../kit/metrics/ask.ts';
import { askBeside, askings, inTurn } from '../kit/metrics/beside.ts';
import type { Asking } from '../kit/metrics/beside.ts';
import { areKeptWhileCreating, walkWhileResourcesComeAndGo } from './coming-and-going.ts';
import { filledFields, keyOf } from './entries.ts';
import { everyByte } from './every-byte.ts';
import { shown } from './every-entry.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import { groupedQuestions } from './grouped-questions.ts';
import { brokenWalk, fewGroups, mostGroups, variedGroups } from './many-groups.ts';
import type { Grouped } from './many-groups.ts';
import { filteredQuestions } from './matching-filters.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { entriesOf, firstPageOf, pagesOf, walk } from './pages.ts';
import type { Page } from './pages.ts';
import { sameAnswer, sameFirstPage } from './same-answer.ts';
import { visitMismatches } from './visits.ts';
import { HOUR, timestamp } from '../kit/metrics/windows.ts';

const { defaultLimit } = requirement('metrics.pagination.page-within-limit').values;
const { maxLimit, largestTried } = requirement('metrics.pagination.limit-clamped').values;

conforms('metrics.pagination.limit-is-a-count', async (run) => {
  // A limit is for grouped results: without groupBy it may be ignored.
  const days = { ...(await anyDays(run, 2)), resolution: 'daily' };
  const groupings = ['resource_type', 'resource_name', 'resource_type,billing_dimension'];
  for (const groupBy of groupings) await needAnswered(run, { ...days, groupBy, limit: 10 });
  const { each, any } = await askings(run, { without: ['groupBy', 'limit'], refusedIn: days });
  const examples = inTurn(notCounts, each, 1).map(([limit, asking]) => ({
    asking,
    limit,
    groupBy: 'resource_type',
  }));
  await run.forAll(
    { asking: any, limit: notACount, groupBy: fc.constantFrom(...groupings) },
    async ({ asking, limit, groupBy }) => status(await askBeside(run, asking, { ...days, groupBy, limit }), 400),
    { examples, runs: shareOf(run, 60) },
  );
});

/** Cursors that the server gave in short pages. */
async function givenCursors({
  run,
  query,
  limit,
}: {
  run: Run;
  query: MetricsQuery;
  limit: number;
}): Promise<string[]> {
  const pages = await pagesOf(run, { ...query, limit });
  const cursors = pages.map(({ answer }) => answer.meta.nextCursor).filter((cursor) => cursor !== '');
  run.need(cursors.length > 0, 'a grouping with more than one page');
  return cursors;
}

conforms('metrics.pagination.foreign-cursor-refused', async (run) => {
  const { query } = await fewGroups(run);
  const given = await givenCursors({ run, query, limit: 5 });
  const refused = async (asking: Asking, cursor: string, limit: number | undefined): Promise<Mismatch[]> => {
    if (given.includes(cursor)) return [];
    const { groupBy } = asking.caller === 'strongest' ? query : { groupBy: 'resource_type' };
    return status(await askBeside(run, asking, { ...query, groupBy, limit, cursor }), 400);
  };
  const { each, any } = await askings(run, { without: ['groupBy', 'limit'] });
  const examples = inTurn(inventedCursors, each, 1).map(([cursor, asking]) => ({ asking, cursor, limit: undefined }));
  await run.forAll(
    { asking: any, cursor: inventedCursor, limit: fc.constantFrom(undefined, 1, 5, 100) },
    ({ asking, cursor, limit }) => refused(asking, cursor, limit),
    { examples, runs: shareOf(run, 60) },
  );
  await run.forAll(
    { cursor: fc.constantFrom(...given), text: foreignText, before: fc.boolean() },
    // Of the question that the cursor is for: beside any other it is foreign anyway.
    ({ cursor, text, before }) => refused(each[0]!, before ? text + cursor : cursor + text, 5),
    { runs: shareOf(run, 40) },
  );
});

function tooLong({ answer, exchange }: Page, limit: number): Mismatch[] {
  const { length } = answer.data;
  return length <= limit ? [] : [{ expected: `at most ${limit} entries`, actual: `${length}`, exchange }];
}

conforms('metrics.pagination.page-within-limit', async (run) => {
  const most = await mostGroups(run);
  for (const page of await pagesOf(run, most.query)) run.check(tooLong(page, defaultLimit));
  const others = ['resource_name', 'resource_uuid', 'resource_type', 'resource_type,billing_dimension'];
  const groupings = [most.query.groupBy, ...others];
  await run.forAll(
    { limit: fc.integer({ min: 1, max: maxLimit }), groupBy: fc.constantFrom(...groupings) },
    async ({ limit, groupBy }) => {
      const query = { ...most.query, groupBy, limit };
      const first = await firstPageOf(run, query);
      const { hasMore, nextCursor } = first.answer.meta;
      if (!hasMore || nextCursor === '') return tooLong(first, limit);
      return [...tooLong(first, limit), ...tooLong(await firstPageOf(run, { ...query, cursor: nextCursor }), limit)];
    },
    {
      examples: [
        ...[1, 2, 10, 50, 99, 100].map((limit) => ({ limit, groupBy: most.query.groupBy })),
        ...groupings.map((groupBy) => ({ limit: 1, groupBy })),
      ],
      runs: shareOf(run, 60),
    },
  );
  const { startTime, endTime } = most.query;
  const { each } = await askings(run, { without: ['groupBy', 'limit'] });
  for (const asking of each) {
    const exchange = await askBeside(run, asking, { startTime, endTime, groupBy: 'resource_name', limit: 1 });
    run.check(tooLong({ exchange, answer: answerOf(exchange) }, 1));
  }
});

/** Only where one question asked twice has pages of one length. */
function asLong({ exchange, answer: { data } }: Page, first: Page, again: Page): Mismatch[] {
  const { length } = first.answer.data;
  if (length !== again.answer.data.length || length === data.length) return [];
  return [{ expected: `${length} entries, as with limit ${maxLimit}`, actual: `${data.length}`, exchange }];
}

conforms('metrics.pagination.limit-clamped', async (run) => {
  const groupings = [(await mostGroups(run)).query, (await fewGroups(run)).query];
  const atMost = await Promise.all(groupings.map((query) => firstPageOf(run, { ...query, limit: maxLimit })));
  const again = await Promise.all(groupings.map((query) => firstPageOf(run, { ...query, limit: maxLimit })));
  const fields = groupings.map(({ groupBy }) => filledFields(groupBy.split(',') as never));
  const answersAs100 = async (limit: number, which: number): Promise<Mismatch[]> => {
    const exchange = await askMetrics(run.client, { ...groupings[which], limit });
    const refused = status(exchange, 200);
    if (refused.length > 0) return refused;
    const answer = answerOf(exchange);
    return [
      ...tooLong({ exchange, answer }, maxLimit),
      ...sameFirstPage(atMost[which]!.answer, { exchange, answer }, fields[which]!),
      ...asLong({ exchange, answer }, atMost[which]!, again[which]!),
    ];
  };
  const boundaries = [
    101,
    102,
    110,
    127,
    128,
    150,
    199,
    200,
    201,
    255,
    256,
    500,
    999,
    1000,
    1001,
    10_000,
    32_768,
    65_536,
    1_000_000,
    largestTried,
  ];
  await run.forAll(
    { limit: fc.integer({ min: maxLimit + 1, max: largestTried }), which: fc.nat({ max: 1 }) },
    ({ limit, which }) => answersAs100(limit, which),
    { examples: boundaries.map((limit) => ({ limit, which: 0 })), runs: shareOf(run, 20) },
  );
  const { startTime, endTime } = groupings[0]!;
  const { each } = await askings(run, { without: ['groupBy', 'limit'] });
  for (const asking of each) {
    const query = { startTime, endTime, groupBy: 'resource_type', limit: maxLimit + 1 };
    run.check(status(await askBeside(run, asking, query), 200));
  }
  const { pages, trouble } = await walk(run.client, { ...groupings[0], limit: maxLimit + 1 });
  run.check(trouble === undefined ? [] : [trouble]);
  for (const page of pages) run.check(tooLong(page, maxLimit));
});

function disagreement({ answer, exchange }: Page): Mismatch[] {
  const { hasMore, nextCursor } = answer.meta;
  const agree = hasMore ? typeof nextCursor === 'string' && nextCursor !== '' : hasMore === false && nextCursor === '';
  const expected = hasMore
    ? 'a nextCursor that is not empty beside hasMore true'
    : 'nextCursor "" beside hasMore false';
  return agree ? [] : [{ expected, actual: `hasMore ${shown(hasMore)}, nextCursor ${shown(nextCursor)}`, exchange }];
}

conforms('metrics.pagination.has-more-and-cursor-agree', async (run) => {
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  const questions: MetricsQuery[] = [
    days,
    { ...days, resourceName: 'assay-nothing-has-this-name', groupBy: 'resource_type' },
    ...(await groupedQuestions(run, ['daily', 'weekly', 'monthly', undefined])).map(({ query }) => query),
    ...(await filteredQuestions(run)),
  ];
  for (const question of questions) for (const page of await pagesOf(run, question)) run.check(disagreement(page));
  // A limit is of grouped results: here a target may refuse it.
  const exchange = await askMetrics(run.client, { ...days, limit: 1 });
  run.check(isRefused(exchange) ? [] : disagreement({ exchange, answer: answerOf(exchange) }));
  const few = await fewGroups(run, 20);
  for (let limit = 1; limit <= few.entries.length + 1; limit += 1) {
    for (const page of await pagesOf(run, { ...few.query, limit })) run.check(disagreement(page));
  }
});

conforms(
  'metrics.pagination.every-group-once',
  async (run) => {
    run.check(await brokenWalk(run));
    const few = await fewGroups(run);
    for (let limit = 1; limit <= maxLimit; limit += limit > run.runs ? 7 : 1) await checkVisits(run, few, limit);
    const many = await mostGroups(run);
    const limits = [100, 99, 75, 64, 51, 50, 33, 25].filter((limit) => many.entries.length / limit <= 40);
    for (const limit of limits) await checkVisits(run, many, limit);
    for (const grouped of await variedGroups(run)) {
      await checkVisits(run, grouped, Math.min(maxLimit, Math.ceil(grouped.entries.length / 3)));
    }
    await walkWhileResourcesComeAndGo(run, few);
  },
  { alone: true },
);

async function checkVisits(run: Run, grouped: Grouped, limit: number): Promise<void> {
  run.check(visitMismatches(await walk(run.client, { ...grouped.query, limit }), grouped, limit));
}

conforms('metrics.pagination.limit-changes-nothing-else', async (run) => {
  const few = await fewGroups(run);
  const many = await mostGroups(run);
  const limits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 25, 32, 50, 64, 75, 90, 99, 100];
  for (const limit of limits) run.check(await limitMismatches(run, few, limit));
  for (const limit of [20, 37, 50, 64, 99].filter((each) => many.entries.length / each <= 40)) {
    run.check(await limitMismatches(run, many, limit));
  }
});

async function limitMismatches(run: Run, { query, set, entries }: Grouped, limit: number): Promise<Mismatch[]> {
  const { pages, trouble } = await walk(run.client, { ...query, limit });
  if (trouble !== undefined) return [trouble];
  const of = filledFields(set);
  const once = new Map(entriesOf(pages).map((entry) => [keyOf(entry, of), entry]));
  const exchange = pages[0]!.exchange;
  return figureMismatches(`pages of ${limit}`, figuresBy(of, entries), figuresBy(of, [...once.values()]), {
    exchange,
    relation: 'same',
  });
}

conforms('metrics.pagination.cursor-repeatable', async (run) => {
  const few = await fewGroups(run);
  const questions = [
    { ...few, limit: 1 },
    { ...few, limit: 3 },
    { ...(await mostGroups(run)), limit: 60 },
  ];
  const walks = [];
  for (const question of questions) {
    const pages = await pagesOf(run, { ...question.query, limit: question.limit });
    if (pages.length > 1) walks.push({ ...question, pages });
  }
  run.need(walks.length > 0, 'a grouping with more than one page');
  for (const { query, set, limit, pages } of walks) {
    // Last to first, each twice: a cursor is a place, whatever was asked meanwhile.
    for (const at of pages.keys().toArray().slice(1, 25).toReversed()) {
      const cursor = pages[at - 1]!.answer.meta.nextCursor;
      for (let times = 0; times < 2; times += 1) {
        const exchange = await askMetrics(run.client, { ...query, limit, cursor });
        run.check(status(exchange, 200));
        run.check(sameAnswer(pages[at]!.answer, { exchange, answer: answerOf(exchange) }, filledFields(set)));
      }
    }
  }
});

/** All of them are one value to whoever decodes percent-encoding (RFC 3986 2.1, 6.2.2). */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'what must be': encodeURIComponent,
  'every byte': everyByte,
  'every byte, in lower-case hex': (text) => everyByte(text).toLowerCase(),
  'every second character': (text) =>
    [...text].map((character, at) => (at % 2 === 0 ? encodeURIComponent(character) : everyByte(character))).join(''),
};

/** Octets of a URI that every server is to take (RFC 9110 4.1): a spelling that makes it longer is not tried. */
const LONGEST_URI = 8000;

conforms('metrics.pagination.cursor-survives-encoding', async (run) => {
  const account = run.need(run.target.account, 'the account of the target');
  const { query, set } = await fewGroups(run);
  const pages = await pagesOf(run, { ...query, limit: 4 });
  run.need(pages.length > 1, 'a grouping with more than one page');
  const parameters = Object.entries({ ...query, limit: '4' }).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  for (const encode of Object.values(encodings)) {
    for (const at of pages.keys().toArray().slice(1, 9)) {
      const cursor = encode(pages[at - 1]!.answer.meta.nextCursor);
      const path = `/accounts/${encodeURIComponent(account)}/metrics?${parameters.join('&')}&cursor=${cursor}`;
      const isTooLong = `${run.target.addresses.management}${path}`.length > LONGEST_URI;
      if (isTooLong && encode !== encodings['what must be']) continue;
      const exchange = await run.client.send({ surface: 'management', method: 'GET', path });
      run.check(status(exchange, 200));
      run.check(sameAnswer(pages[at]!.answer, { exchange, answer: answerOf(exchange) }, filledFields(set)));
    }
  }
});

/** The status of an answer, and whether it has what comes next, as far as it goes: how many groups there are is no matter. */
async function sawWith(run: Run, query: MetricsQuery, { set }: Grouped, usual: Page): Promise<string> {
  const exchange = await askMetrics(run.client, query);
  if (exchange.answer.status !== 200) return `${exchange.answer.status}`;
  const keys = ({ data }: typeof usual.answer) => data.map((entry) => keyOf(entry, filledFields(set)));
  const [found, next] = [keys(answerOf(exchange)), keys(usual.answer)];
  const both = Math.min(found.length, next.length);
  const goesOn = both > 0 && found.slice(0, both).join() === next.slice(0, both).join();
  return goesOn ? '200, goes on from there' : '200';
}

observes('metrics.pagination.cursor-with-other-parameters', async (run) => {
  const few = await fewGroups(run);
  const pages = await pagesOf(run, { ...few.query, limit: 3 });
  const next = run.need(pages[1], 'a grouping with more than one page');
  const cursor = pages[0]!.answer.meta.nextCursor;
  const query = { ...few.query, limit: 3, cursor };
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  const asked: Readonly<Record<string, MetricsQuery>> = {
    'with another limit': { ...query, limit: 2 },
    'without limit': { ...query, limit: undefined },
    'with another groupBy': {
      ...query,
      groupBy: few.query.groupBy === 'resource_type' ? 'billing_dimension' : 'resource_type',
    },
    'with the same groupBy in another order': {
      ...query,
      groupBy: few.query.groupBy.split(',').toReversed().join(','),
    },
    'without groupBy': { ...query, groupBy: undefined },
    'with another window': { ...query, ...(await meteredDays(run, 1)) },
    'with another resolution': { ...query, resolution: 'hourly' },
    'with a filter more': { ...query, billingDimension: 'agent_compute_runtime_gbs' },
    'altered in its last character': { ...query, cursor: altered },
  };
  for (const [what, other] of Object.entries(asked))
    run.observe(`a cursor ${what}`, await sawWith(run, other, few, next));
});

observes('metrics.pagination.pages-full', async (run) => {
  const few = await fewGroups(run);
  const count = few.entries.length;
  const divisor = [2, 3, 5, 7].find((limit) => count % limit === 0 && count > limit) ?? 1;
  const pages = await pagesOf(run, { ...few.query, limit: divisor });
  const full = pages.slice(0, -1).every(({ answer }) => answer.data.length === divisor);
  run.observe('pages before the last one', full ? 'all full' : 'some are not full');
  const last = pages.at(-1)?.answer.data.length;
  run.observe(
    'the last page where the groups fill all pages',
    last === 0 ? 'empty: hasMore was still true on the full one' : 'has groups',
  );
});

function ascending(list: readonly (string | number)[]): boolean {
  return list.every((value, at) => at === 0 || list[at - 1]! <= value);
}

observes(
  'metrics.pagination.order',
  async (run) => {
    const many = await mostGroups(run);
    const keys = many.entries.map((entry) => keyOf(entry, filledFields(many.set)));
    const costs = many.entries.map(({ summary }) => summary.cost);
    const orders: readonly (readonly [string, boolean])[] = [
      ['by names, ascending', ascending(keys)],
      ['by names, descending', ascending(keys.toReversed())],
      ['by cost, dearest first', ascending(costs.toReversed())],
      ['by cost, cheapest first', ascending(costs)],
    ];
    run.observe('the order of groups', orders.find(([, holds]) => holds)?.[0] ?? 'none of names or cost');
    const current = await untilNow(run, many);
    const areKept = current && (await areKeptWhileCreating(run, current));
    if (areKept === undefined) return;
    const saw = areKept ? 'each once' : 'some twice or not at all';
    run.observe('groups of a window until now, where resources are created between its pages', saw);
  },
  { alone: true },
);

/** So long that what is created meanwhile may be in it; undefined where a window that ends within the hour is refused. */
async function untilNow(run: Run, { query, set }: Grouped): Promise<Grouped | undefined> {
  const endTime = timestamp((Math.floor(Date.now() / HOUR) + 1) * HOUR);
  const asked = { ...query, endTime, resolution: 'monthly' };
  const { pages, trouble } = await walk(run.client, asked);
  return trouble === undefined ? { query: asked, set, entries: entriesOf(pages) } : undefined;
}
