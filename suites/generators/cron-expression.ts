/** Cron expressions of five fields that every parser accepts, and expressions with another number of fields. */
import * as fc from 'fast-check';

interface Field {
  readonly min: number;
  readonly max: number;
}

/** Without days after the 28th, so that every month has the day, and without Sunday as 7. */
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 28 },
  { min: 1, max: 12 },
  { min: 0, max: 6 },
];
const DAY_OF_WEEK = fields[4]!;

export const cronExpression: fc.Arbitrary<string> = fc.tuple(...fields.map(field)).map((parts) => parts.join(' '));

/** Every form of a field, and the limits of every field. */
export const cronExpressions: readonly string[] = [
  '* * * * *',
  '0 0 1 1 0',
  '59 23 28 12 6',
  '0 0 31 1 *',
  '*/5 * * * *',
  '0 */2 * * *',
  '0 9 * * 1-5',
  '0,30 * * * *',
  '0-30/10 8-18/2 1-28/7 1-12/3 0-6/2',
  '1,2,4-8 0,12 1,15 1,6-8 1,3,5',
];

export const hasFiveFields = (schedule: string): boolean => /^\S+(?: \S+){4}$/.test(schedule);

/**
 * Schedules that a target accepts if it accepts those that are due as often, or in the same hours and on the same days: with every
 * range, list and step widened to `*`, and with the first or last value of one field replaced by the one next to it (Sunday by 7).
 */
export function similarSchedules(schedule: string): string[] {
  const parts = schedule.split(' ');
  const widened = parts.map((part) => (/^\d+$/.test(part) ? part : '*'));
  const moved = parts.map((part, index) => parts.with(index, nextToLimit(part, fields[index]!)));
  return [...new Set([widened, ...moved].map((each) => each.join(' ')))].filter((each) => each !== schedule);
}

/** A target may refuse the full hour and midnight, when most schedules are due, so that they have no neighbour. */
function nextToLimit(part: string, limits: Field): string {
  if (limits === DAY_OF_WEEK) return part === '0' ? '7' : part;
  if (part === String(limits.min)) return limits.min === 0 ? part : String(limits.min + 1);
  return /^\d+$/.test(part) && Number(part) >= limits.max ? String(limits.max - 1) : part;
}

/**
 * First six fields, as parsers with seconds expect; then no field, fewer than five and more than five. Nicknames count as one or
 * two; a blank is not a field.
 */
export const otherFieldCounts: readonly string[] = [
  '0 0 9 * * 1',
  '',
  ' ',
  '*',
  '0',
  '@daily',
  '@hourly',
  '@every 1h',
  '* *',
  '0 9 *',
  '* * * * ',
  '0 9 * *',
  '* * * *',
  ' */5 * * *',
  '0 9  1 1',
  '* * * * * *',
  '*/10 * * * * *',
  '0 9 * * 1 2026',
  '* * * * * * *',
  '0 0 9 * * 1 2026',
  '0 0 9 1 1 * 2026 *',
];

/** One to four or six to nine valid fields. */
export const otherFieldCount: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 6, max: 9 }))
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => field(fields[index % 5]!))))
  .map((parts) => parts.join(' '));

function field({ min, max }: Field): fc.Arbitrary<string> {
  const single = fc.integer({ min, max }).map(String);
  const range = fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).filter(([from, to]) => from < to);
  const everyFew = fc.integer({ min: 1, max }).map((step) => `*/${step}`);
  // Some parsers refuse a step beyond the end of its range.
  const stepped = range.chain(([from, to]) =>
    fc.integer({ min: 1, max: to - from }).map((step) => `${from}-${to}/${step}`),
  );
  const list = fc
    .tuple(fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 5 }), fc.boolean())
    .map(([numbers, hasRange]) =>
      listed(
        numbers.toSorted((a, b) => a - b),
        hasRange,
      ),
    );
  return fc.oneof(
    fc.constant('*'),
    single,
    range.map((ends) => ends.join('-')),
    everyFew,
    stepped,
    list,
  );
}

/** Ascending and without overlap. Of three or more, the first two may be the ends of a range. */
function listed([first, second, ...rest]: readonly number[], hasRange: boolean): string {
  const begin = hasRange && rest.length > 0 ? `${first}-${second}` : `${first},${second}`;
  return [begin, ...rest].join(',');
}
