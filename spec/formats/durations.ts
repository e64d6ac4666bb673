/** Durations and ranges of durations in files: `500ms`, `2s..40s`. */
const MS_PER_UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(?<amount>\d{1,9}(?:\.\d{1,3})?)(?<unit>ms|s|m|h|d)$/;

export const DURATION_FORM = 'a duration such as 500ms, 30s, 2h or 7d';
export const RANGE_FORM = 'a duration such as 500ms, or a range such as 2s..40s';

/** Whole milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  if (amount === undefined) return undefined;
  return Math.round(Number(amount) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT]);
}

/** In milliseconds, both inclusive. */
export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

/** One duration is a range of one. Undefined if the text is not a range, or its end is before its start. */
export function parseDurationRange(text: string): DurationRange | undefined {
  const [from = '', to = from, ...others] = text.split('..');
  const [min, max] = [parseDuration(from), parseDuration(to)];
  if (min === undefined || max === undefined || min > max || others.length > 0) return undefined;
  return { min, max };
}
