/** What makes the body of a metrics response unreadable, and the rules that this breaks: all others cannot judge it. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { MustId } from '../../../spec/requirements/index.ts';
import { formatValue } from '../../expect/format-value.ts';
import { isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';

export interface ShapeFlaw {
  /** `data[0].summary.cost`. */
  readonly where: string;
  readonly expected: string;
  /** What arrived. */
  readonly actual: string;
  readonly rules: readonly MustId[];
}

/** Whether a part has its type. */
interface Part {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly rules: readonly MustId[];
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

const ofResponse = ['metrics.answer.shape-and-echo'] as const;
const ofCosts = ['metrics.cost.always-there'] as const;
const ofBuckets = ['metrics.buckets.one-per-step-zeros-included'] as const;

const body: Part = { expected: 'a JSON object', fits: isFields, rules: ofResponse };
const members: Readonly<Record<string, Part>> = {
  summary: { expected: 'an object', fits: isFields, rules: ofResponse },
  meta: { expected: 'an object', fits: isFields, rules: ofResponse },
  data: { expected: 'an array', fits: Array.isArray, rules: ofResponse },
};
const totalCost: Part = { expected: 'a number', fits: isNumber, rules: ofResponse };
const entry: Part = { expected: 'an object', fits: isFields, rules: ofResponse };
const filledEntry: Part = {
  expected: 'an object with members',
  fits: (value) => Object.keys(value as Fields).length > 0,
  rules: ['metrics.group-by.absent-one-entry', ...ofCosts],
};
const membersOfEntries: Readonly<Record<string, Part>> = {
  summary: { expected: 'an object', fits: isFields, rules: ofCosts },
  timeseries: { expected: 'an array', fits: Array.isArray, rules: ofBuckets },
};
const costOfEntry: Part = { expected: 'a number', fits: isNumber, rules: ofCosts };
const bucket: Part = { expected: 'an object', fits: isFields, rules: ofBuckets };
const costOfBucket: Part = { expected: 'a number', fits: isNumber, rules: [...ofCosts, ...ofBuckets] };

/** The first flaw. Undefined if all parts that hold others are there. */
export function shapeFlaw(json: unknown, text = ''): ShapeFlaw | undefined {
  // What is no JSON is shown as it arrived.
  if (!isFields(json)) return flawOf(body, 'the body', json ?? text);
  return firstFlaw(members, '', json) ?? firstOf(json['data'] as readonly unknown[], flawOfEntry);
}

function flawOfEntry(value: unknown, at: number): ShapeFlaw | undefined {
  const where = `data[${at}]`;
  if (!isFields(value)) return flawOf(entry, where, value);
  return (
    check(filledEntry, where, value) ??
    firstFlaw(membersOfEntries, `${where}.`, value) ??
    firstOf(value['timeseries'] as readonly unknown[], (item, index) =>
      check(bucket, `${where}.timeseries[${index}]`, item),
    )
  );
}

/** The first cost that is not a number, which only rules about figures need. Undefined if there is none. */
export const costFlaw = ({ summary, data }: AccountMetricsResponse): ShapeFlaw | undefined =>
  check(totalCost, 'summary.totalCost', summary.totalCost) ??
  firstOf(
    data,
    (each, at) =>
      check(costOfEntry, `data[${at}].summary.cost`, each.summary.cost) ??
      firstOf(each.timeseries, ({ cost }, index) => check(costOfBucket, `data[${at}].timeseries[${index}].cost`, cost)),
  );

const check = (part: Part, where: string, value: unknown): ShapeFlaw | undefined =>
  part.fits(value) ? undefined : flawOf(part, where, value);

const flawOf = ({ expected, rules }: Part, where: string, value: unknown): ShapeFlaw => ({
  where,
  expected,
  actual: formatValue(value, 80),
  rules,
});

const firstFlaw = (parts: Readonly<Record<string, Part>>, before: string, fields: Fields): ShapeFlaw | undefined =>
  firstOf(Object.entries(parts), ([name, part]) => check(part, `${before}${name}`, fields[name]));

/** The first result of the list that is not undefined. */
function firstOf<T, Result>(list: readonly T[], find: (item: T, at: number) => Result | undefined): Result | undefined {
  for (const [at, item] of list.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
