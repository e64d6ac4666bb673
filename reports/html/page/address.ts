/** The part of the address behind #: where the reader is, and what is filtered, so that both can be shared as a link. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';
import { areaOf, verdicts } from './verdict.ts';

export interface Filter {
  /** None: all. */
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

/** `#metrics.sums.total-is-sum-of-groups?verdict=failed,error&area=metrics&text=cost`; what makes no sense is left out. */
export function readAddress(hash: string): Address {
  const [place = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s, 2);
  const given = new URLSearchParams(query);
  return {
    place,
    verdicts: (given.get('verdict') ?? '').split(',').filter(isVerdict),
    area: given.get('area') ?? '',
    text: given.get('text') ?? '',
  };
}

export function writeAddress({ place, verdicts: wanted, area, text }: Address): string {
  const query = new URLSearchParams({
    ...(wanted.length > 0 ? { verdict: wanted.join(',') } : {}),
    ...(area === '' ? {} : { area }),
    ...(text === '' ? {} : { text }),
  });
  return `#${place}${query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : ''}`;
}

export function fits(result: RuleResult, filter: Filter): boolean {
  const { verdicts: wanted, area, text } = filter;
  if (wanted.length > 0 && !wanted.includes(result.verdict)) return false;
  if (area !== '' && areaOf(result) !== area) return false;
  const said = searchable(result);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Where a link leads: one to a rule shows that rule, whatever else the link filters. */
export function arriveAt(address: Address, results: readonly RuleResult[]): Address {
  const result = results.find(({ id }) => id === address.place);
  return result === undefined || fits(result, address) ? address : { ...noFilter, place: address.place };
}

const texts = new WeakMap<RuleResult, string>();

function searchable(result: RuleResult): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const { id, rule, reason = '', counterexample } = result;
  const found =
    counterexample === undefined ? [] : [counterexample.expected, counterexample.actual, counterexample.curl];
  const said = [id, rule, reason, ...found].join('\n').toLowerCase();
  texts.set(result, said);
  return said;
}
