/** Timestamps as RFC 3339 5.6 writes them, read strictly: real days, real offsets, leap seconds only where they can be. */

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const MINUTE = 60_000;
const MOST_REMEMBERED = 10_000;

/** An answer of metrics says the same few instants once for each group. */
const remembered = new Map<string, number | undefined>();

/**
 * Milliseconds since 1970 of an RFC 3339 timestamp; undefined where the text is none.
 * Digits below a millisecond are dropped. A leap second counts as the first instant of the minute after it.
 */
export function parseInstant(text: string): number | undefined {
  if (remembered.has(text)) return remembered.get(text);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
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

/** Whether a text is an RFC 3339 timestamp. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== undefined;
}

/** Midnight UTC of a day; undefined where the calendar has no such day. */
function dayStart(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() : undefined;
}

/** Whether the minute that begins then is the last of a month in UTC, where alone a leap second may stand (5.7). */
function endsMonth(minuteStart: number): boolean {
  const after = new Date(minuteStart + MINUTE);
  return after.getUTCDate() === 1 && after.getUTCHours() === 0 && after.getUTCMinutes() === 0;
}
