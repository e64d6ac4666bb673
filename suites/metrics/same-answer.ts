/** Two answers that must be the same: figures within the tolerance, the text of cursors apart. */
import type { AccountMetricsResponse } from '../../spec/generated/types.ts';
import { instantOf } from '../expect/instant.ts';
import type { Mismatch } from '../violation.ts';
import { keyOf } from './entries.ts';
import type { Field } from './entries.ts';
import { shown } from './every-entry.ts';
import { figureMismatches, figuresBy, near } from './figures.ts';
import type { Page } from './pages.ts';

/** Fewer entries without any order come in the same one twice too often. */
const FEWEST_ORDERED = 6;

/**
 * `of`: the fields that tell entries apart. `again` is a second answer to the very question of `expected`: the order of
 * entries counts only where both have the same one, and which of the groups are on a page that is not the last only
 * where both have the same ones.
 */
export function sameAnswer(
  expected: AccountMetricsResponse,
  { exchange, answer }: Page,
  of: readonly Field[],
  again?: AccountMetricsResponse,
): Mismatch[] {
  const anyGroups = again !== undefined && expected.meta.hasMore && !hasSameGroups(expected, again, of);
  const differ = (what: string, wanted: unknown, found: unknown): Mismatch[] =>
    wanted === found ? [] : [{ expected: `${what} ${shown(wanted)}`, actual: shown(found), exchange }];
  const totals = [expected.summary.totalCost, answer.summary.totalCost] as const;
  return [
    ...differ('resolution', expected.resolution, answer.resolution),
    ...differ('startTime', instantOf(expected.startTime), instantOf(answer.startTime)),
    ...differ('endTime', instantOf(expected.endTime), instantOf(answer.endTime)),
    ...differ('hasMore', expected.meta.hasMore, answer.meta.hasMore),
    ...(anyGroups || near(...totals, expected.data.length) ? [] : differ('totalCost', ...totals)),
    ...(anyGroups
      ? sameFigures(inCommon(expected, answer, of), { exchange, answer: inCommon(answer, expected, of) }, of)
      : sameEntries(expected, { exchange, answer }, of, again)),
  ];
}

type Answer = AccountMetricsResponse;

function keysOf({ data }: Answer, of: readonly Field[]): string[] {
  return data.map((entry) => keyOf(entry, of));
}

function hasSameGroups(one: Answer, other: Answer, of: readonly Field[]): boolean {
  return new Set(keysOf(one, of)).symmetricDifference(new Set(keysOf(other, of))).size === 0;
}

/** The first answer with those of its groups that the second one has too. */
function inCommon(answer: Answer, other: Answer, of: readonly Field[]): Answer {
  const known = new Set(keysOf(other, of));
  return { ...answer, data: answer.data.filter((entry) => known.has(keyOf(entry, of))) };
}

function sameFigures(expected: Answer, { exchange, answer }: Page, of: readonly Field[]): Mismatch[] {
  const [wanted, found] = [figuresBy(of, expected.data), figuresBy(of, answer.data)];
  return figureMismatches('the same question', wanted, found, { exchange });
}

/** Two walks through the pages of one question: the same groups with the same figures, on whichever pages. */
export function sameGroups(expected: readonly Page[], pages: readonly Page[], of: readonly Field[]): Mismatch[] {
  const [wanted, found] = [expected, pages].map((walked) => ({
    ...walked[0]!.answer,
    data: walked.flatMap(({ answer }) => answer.data),
  }));
  return sameEntries(wanted!, { exchange: pages[0]!.exchange, answer: found! }, of, undefined);
}

function sameEntries(
  expected: AccountMetricsResponse,
  { exchange, answer }: Page,
  of: readonly Field[],
  again: AccountMetricsResponse | undefined,
): Mismatch[] {
  const [wanted, found] = [keysOf(expected, of), keysOf(answer, of)];
  const misses = [...groupMismatches(wanted, found, 'a group'), ...groupMismatches(found, wanted, 'no group')];
  if (misses.length > 0) return misses.slice(0, 5).map((mismatch) => ({ ...mismatch, exchange }));
  const figures = sameFigures(expected, { exchange, answer }, of);
  const ordered = again !== undefined && wanted.length >= FEWEST_ORDERED && keysOf(again, of).join() === wanted.join();
  const at = ordered ? wanted.findIndex((key, index) => key !== found[index]) : -1;
  if (at < 0) return figures;
  return [...figures, { expected: `data[${at}] ${wanted[at]}`, actual: `${found[at]}`, exchange }];
}

function groupMismatches(some: readonly string[], others: readonly string[], what: string): Mismatch[] {
  const known = new Set(others);
  return some
    .filter((key) => !known.has(key))
    .map((key) => ({ expected: `${what} ${key}`, actual: what === 'a group' ? 'none' : 'one' }));
}
