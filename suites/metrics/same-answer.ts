/**
 * Two answers that must be the same: figures within the tolerance, the text of cursors apart. Groups are matched by what
 * they are of: no order of them is promised.
 */
import type { AccountMetricsResponse } from '../../spec/generated/types.ts';
import { instantOf } from '../expect/instant.ts';
import type { Flaw, Mismatch } from '../target/violation.ts';
import { keyOf } from './entries.ts';
import type { Field } from './entries.ts';
import { shown } from './every-entry.ts';
import { figureMismatches, cost, figuresBy, same } from './figures.ts';
import type { Page } from './pages.ts';

type Answer = AccountMetricsResponse;

/** Two answers with the same groups; `of`: the fields that tell entries apart. */
export function sameAnswer(expected: Answer, page: Page, of: readonly Field[]): Mismatch[] {
  const { answer } = page;
  const totals = [expected.summary.totalCost, answer.summary.totalCost] as const;
  return [
    ...sameFrame(expected, page),
    ...(same(cost(totals[0]), cost(totals[1])) ? [] : differ('totalCost', ...totals, page)),
    ...sameEntries(expected, page, of),
  ];
}

/** Two first pages: where there are more, it is open which groups, and how many, are on the first one. */
export function sameFirstPage(expected: Answer, page: Page, of: readonly Field[]): Mismatch[] {
  if (!expected.meta.hasMore) return sameAnswer(expected, page, of);
  const { exchange, answer } = page;
  const common = { exchange, answer: inCommon(answer, expected, of) };
  return [...sameFrame(expected, page), ...sameFigures(inCommon(expected, answer, of), common, of)];
}

/** Two walks through the pages of one question: the same groups with the same figures, on whichever pages. */
export function sameGroups(expected: readonly Page[], pages: readonly Page[], of: readonly Field[]): Mismatch[] {
  const [wanted, found] = [expected, pages].map((walked) => ({
    ...walked[0]!.answer,
    data: walked.flatMap(({ answer }) => answer.data),
  }));
  return sameEntries(wanted!, { exchange: pages[0]!.exchange, answer: found! }, of);
}

/** What an answer says beside its groups and their sum. */
function sameFrame(expected: Answer, page: Page): Mismatch[] {
  const { answer } = page;
  return [
    ...differ('resolution', expected.resolution, answer.resolution, page),
    ...differ('startTime', instantOf(expected.startTime), instantOf(answer.startTime), page),
    ...differ('endTime', instantOf(expected.endTime), instantOf(answer.endTime), page),
    ...differ('hasMore', expected.meta.hasMore, answer.meta.hasMore, page),
  ];
}

const differ = (what: string, wanted: unknown, found: unknown, { exchange }: Page): Mismatch[] =>
  wanted === found ? [] : [{ expected: `${what} ${shown(wanted)}`, actual: shown(found), exchange }];

const keysOf = ({ data }: Answer, of: readonly Field[]): string[] => data.map((entry) => keyOf(entry, of));

/** The first answer with those of its groups that the second one has too. */
function inCommon(answer: Answer, other: Answer, of: readonly Field[]): Answer {
  const known = new Set(keysOf(other, of));
  return { ...answer, data: answer.data.filter((entry) => known.has(keyOf(entry, of))) };
}

function sameFigures(expected: Answer, { exchange, answer }: Page, of: readonly Field[]): Mismatch[] {
  const [wanted, found] = [figuresBy(of, expected.data), figuresBy(of, answer.data)];
  return figureMismatches('the same question', wanted, found, { exchange, relation: 'same' });
}

function sameEntries(expected: Answer, page: Page, of: readonly Field[]): Mismatch[] {
  const [wanted, found] = [keysOf(expected, of), keysOf(page.answer, of)];
  const misses = [...groupMismatches(wanted, found, 'a group'), ...groupMismatches(found, wanted, 'no group')];
  if (misses.length === 0) return sameFigures(expected, page, of);
  return misses.slice(0, 5).map((mismatch) => ({ ...mismatch, exchange: page.exchange }));
}

function groupMismatches(some: readonly string[], others: readonly string[], what: string): Flaw[] {
  const known = new Set(others);
  return some
    .filter((key) => !known.has(key))
    .map((key) => ({ expected: `${what} ${key}`, actual: what === 'a group' ? 'none' : 'one' }));
}
