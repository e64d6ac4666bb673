/** Two answers that must be the same: figures within the tolerance, the text of cursors apart. */
import type { AccountMetricsResponse } from '../../spec/generated/types.ts';
import { instantOf } from '../expect/instant.ts';
import type { Mismatch } from '../violation.ts';
import { keyOf } from './entries.ts';
import type { Field } from './entries.ts';
import { shown } from './every-entry.ts';
import { figureMismatches, figuresBy, near } from './figures.ts';
import type { Page } from './pages.ts';

/**
 * `of`: the fields that tell entries apart. The order of entries counts only where `again`, a second answer to the very
 * question of `expected`, has them in the same order as `expected`.
 */
export function sameAnswer(
  expected: AccountMetricsResponse,
  { exchange, answer }: Page,
  of: readonly Field[],
  again?: AccountMetricsResponse,
): Mismatch[] {
  const differ = (what: string, wanted: unknown, found: unknown): Mismatch[] =>
    wanted === found ? [] : [{ expected: `${what} ${shown(wanted)}`, actual: shown(found), exchange }];
  const totals = [expected.summary.totalCost, answer.summary.totalCost] as const;
  return [
    ...differ('resolution', expected.resolution, answer.resolution),
    ...differ('startTime', instantOf(expected.startTime), instantOf(answer.startTime)),
    ...differ('endTime', instantOf(expected.endTime), instantOf(answer.endTime)),
    ...differ('hasMore', expected.meta.hasMore, answer.meta.hasMore),
    ...(near(...totals, expected.data.length) ? [] : differ('totalCost', ...totals)),
    ...sameEntries(expected, { exchange, answer }, of, again),
  ];
}

function sameEntries(
  expected: AccountMetricsResponse,
  { exchange, answer }: Page,
  of: readonly Field[],
  again: AccountMetricsResponse | undefined,
): Mismatch[] {
  const keys = (of_: AccountMetricsResponse): string[] => of_.data.map((entry) => keyOf(entry, of));
  const [wanted, found] = [keys(expected), keys(answer)];
  const misses = [...groupMismatches(wanted, found, 'a group'), ...groupMismatches(found, wanted, 'no group')];
  if (misses.length > 0) return misses.slice(0, 5).map((mismatch) => ({ ...mismatch, exchange }));
  const figures = figureMismatches('the same question', figuresBy(of, expected.data), figuresBy(of, answer.data), {
    exchange,
  });
  const ordered = again !== undefined && keys(again).join() === wanted.join();
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
