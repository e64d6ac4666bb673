/** Parses RFC 3339 section 5.6 timestamps strictly: valid days and offsets, and leap seconds only at the end of a month. */

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const MINUTE = 60_000;
const MAX_REMEMBERED = 10_000;

/** Cached, because a metrics response repeats the same few instants for each group. */
const remembered = new Map<string, number | undefined>();

/**
 * Returns the milliseconds since 1970, or undefined if the string is not an RFC 3339 timestamp.
 * Digits below a millisecond are dropped. A leap second counts as the first instant of the minute after it.
 */
export function parseInstant(text: string): number | undefined {
  if (remembered.has(text)) return remembered.get(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const instant = read(text);
  remembered.set(text, instant);
  return instant;
}

function read(text: string): number | undefined {
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const midnight = dayStart(year, month, day);
  if (midnight === undefined) return undefined;
  const offset = (found[8] === '-' ? -1 : 1) * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  const minuteStart = midnight + (hour * 60 + minute - offset) * MINUTE;
  if (second === 60) return endsMonth(minuteStart) ? minuteStart + MINUTE : undefined;
  return minuteStart + second * 1000 + Math.trunc(Number(`0.${found[7] ?? 0}`) * 1000);
}

/** Whether a string is an RFC 3339 timestamp. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== undefined;
}

/** Returns midnight UTC of a day, or undefined if the day does not exist. */
function dayStart(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would interpret the years 0 to 99 as 1900 to 1999.
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() : undefined;
}

/** Whether a minute is the last of a month in UTC, the only one that may have a leap second (section 5.7). */
function endsMonth(minuteStart: number): boolean {
  const after = new Date(minuteStart + MINUTE);
  return after.getUTCDate() === 1 && after.getUTCHours() === 0 && after.getUTCMinutes() === 0;
}
