/** The URL fragment: the current position and filters, so that both can be shared as a link. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';
import { areaOf, verdicts } from './verdict.ts';

export interface Filter {
  /** Empty: all. */
  readonly verdicts: readonly Verdict[];
  /** Empty: all. */
  readonly area: string;
  /** Words that all occur in the rule's id, text, reason or counterexample; empty: all. */
  readonly text: string;
}

export interface Address extends Filter {
  /** The id of a rule or of a section; empty: the top. */
  readonly place: string;
}

export const noFilter: Filter = { verdicts: [], area: '', text: '' };

const isVerdict = (word: string): word is Verdict => verdicts.some(({ verdict }) => verdict === word);

/** `#metrics.sums.total-is-sum-of-groups?verdict=failed,error&area=metrics&text=cost`; invalid parts are ignored. */
export function readAddress(hash: string): Address {
  const [place = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  return {
    place,
    verdicts: (parameters.get('verdict') ?? '').split(',').filter(isVerdict),
    area: parameters.get('area') ?? '',
    text: parameters.get('text') ?? '',
  };
}

export function writeAddress({ place, verdicts: selected, area, text }: Address): string {
  const query = new URLSearchParams({
    ...(selected.length > 0 ? { verdict: selected.join(',') } : {}),
    ...(area === '' ? {} : { area }),
    ...(text === '' ? {} : { text }),
  });
  return `#${place}${query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : ''}`;
}

export function matches(result: RuleResult, filter: Filter): boolean {
  const { verdicts: selected, area, text } = filter;
  if (selected.length > 0 && !selected.includes(result.verdict)) return false;
  if (area !== '' && areaOf(result) !== area) return false;
  const haystack = searchable(result);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** Clears the filter of a link to a rule if it would hide that rule. */
export function resolveAddress(address: Address, results: readonly RuleResult[]): Address {
  const result = results.find(({ id }) => id === address.place);
  return result === undefined || matches(result, address) ? address : { ...noFilter, place: address.place };
}

const texts = new WeakMap<RuleResult, string>();

function searchable(result: RuleResult): string {
  const cached = texts.get(result);
  if (cached !== undefined) return cached;
  const { id, rule, reason = '', counterexample } = result;
  const found =
    counterexample === undefined ? [] : [counterexample.expected, counterexample.actual, counterexample.curl];
  const haystack = [id, rule, reason, ...found].join('\n').toLowerCase();
  texts.set(result, haystack);
  return haystack;
}
