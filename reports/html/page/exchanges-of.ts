/** Reads the JSON blocks of the document, each when it is first asked for. */
import type { ExchangeRecord } from '../../../spec/verdicts.ts';

export const blockOf = (selector: string): unknown => {
  const block = document.querySelector(selector);
  return block === null ? undefined : JSON.parse(block.textContent);
};

const read = new Map<string, readonly ExchangeRecord[]>();

/** Those that the page has of a rule. */
export function exchangesOf(rule: string): readonly ExchangeRecord[] {
  const known = read.get(rule);
  if (known !== undefined) return known;
  const found = (blockOf(`[data-exchanges-of="${CSS.escape(rule)}"]`) ?? []) as readonly ExchangeRecord[];
  read.set(rule, found);
  return found;
}
