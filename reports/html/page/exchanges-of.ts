/** Reads the JSON blocks of the page, each on first use. */
import type { ExchangeRecord } from '../../../spec/verdicts.ts';

export const readBlock = (selector: string): unknown => {
  const block = document.querySelector(selector);
  return block === null ? undefined : JSON.parse(block.textContent);
};

const cache = new Map<string, readonly ExchangeRecord[]>();

/** The exchanges of a rule that the page contains. */
export function exchangesOf(rule: string): readonly ExchangeRecord[] {
  const cached = cache.get(rule);
  if (cached !== undefined) return cached;
  const found = (readBlock(`[data-exchanges-of="${CSS.escape(rule)}"]`) ?? []) as readonly ExchangeRecord[];
  cache.set(rule, found);
  return found;
}
