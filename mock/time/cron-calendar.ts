/** Counts the instants of a cron expression in closed form: any window costs the same, however long it is. Times are in UTC. */
import { createRequire } from 'node:module';
import type { CronPattern } from 'croner';

export interface CronCalendar {
  /** How many instants are before a second since 1970 (exclusive), from an arbitrary start: only differences have a meaning. */
  readonly before: (second: number) => number;
  /** In ascending order, in seconds; `from` inclusive, `to` exclusive. */
  readonly between: (from: number, to: number) => number[];
}

const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1440;
/** Years after which the Gregorian calendar repeats itself, weekdays included. */
const CYCLE_YEARS = 400;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// Loaded on demand: few worlds have a schedule.
const require = createRequire(import.meta.url);

/** Throws a TypeError if the expression is invalid. Accepts `5/15`, which many implementations read as `5-59/15`. */
export function parseCron(expression: string): CronPattern {
  const croner = require('croner') as typeof import('croner');
  return new croner.CronPattern(expression, undefined, { mode: '5-part', sloppyRanges: true });
}

const MAX_CALENDARS = 1000;
const calendars = new Map<string, CronCalendar>();

/** Throws a TypeError if the expression is invalid. */
export function cronCalendar(expression: string): CronCalendar {
  const known = calendars.get(expression);
  if (known !== undefined) return known;
  const calendar = calendarOf(parseCron(expression));
  if (calendars.size >= MAX_CALENDARS) calendars.clear();
  calendars.set(expression, calendar);
  return calendar;
}

function calendarOf(pattern: CronPattern): CronCalendar {
  const minutes = minutesOfDay(pattern);
  /** minutesBefore[n]: how many of the minutes are before the nth. */
  const minutesBefore = new Uint16Array(DAY_MINUTES + 1);
  for (const minute of minutes) minutesBefore[minute + 1] = 1;
  for (let at = 1; at <= DAY_MINUTES; at++) minutesBefore[at] = (minutesBefore[at] ?? 0) + (minutesBefore[at - 1] ?? 0);
  const { daysBefore, has } = daysOf(pattern);
  return {
    before: (second) => {
      const day = Math.floor(second / DAY_SECONDS);
      const ofToday = has(day) ? (minutesBefore[Math.ceil((second - day * DAY_SECONDS) / 60)] ?? 0) : 0;
      return daysBefore(day) * minutes.length + ofToday;
    },
    between: (from, to) => {
      const instants: number[] = [];
      for (let day = Math.floor(from / DAY_SECONDS); day * DAY_SECONDS < to; day++) {
        if (!has(day)) continue;
        for (const minute of minutes) {
          const second = day * DAY_SECONDS + minute * 60;
          if (second >= from && second < to) instants.push(second);
        }
      }
      return instants;
    },
  };
}

function minutesOfDay({ hour, minute }: CronPattern): number[] {
  const hours = [...hour.keys()].filter((at) => hour[at] === 1);
  const ofHour = [...minute.keys()].filter((at) => minute[at] === 1);
  return hours.flatMap((at) => ofHour.map((each) => at * 60 + each));
}

interface Days {
  /** Whether the expression has instants on a day since 1970. */
  readonly has: (day: number) => boolean;
  /** How many such days are before it, from an arbitrary start. */
  readonly daysBefore: (day: number) => number;
}

function daysOf(pattern: CronPattern): Days {
  /** By month, weekday of its first day, and whether the year is a leap year. */
  const masks = new Map<number, number>();
  const maskOf = (month: number, firstWeekday: number, isLeap: boolean): number => {
    const key = (month * 7 + firstWeekday) * 2 + Number(isLeap);
    const known = masks.get(key);
    if (known !== undefined) return known;
    const mask = monthMask(pattern, month, firstWeekday, lengthOf(month, isLeap));
    masks.set(key, mask);
    return mask;
  };
  const ofMonths = (year: number, months: number): number => {
    const isLeap = isLeapYear(year);
    let [weekday, count] = [weekdayOfNewYear(year), 0];
    for (let month = 0; month < months; month++) {
      count += bitCount(maskOf(month, weekday, isLeap));
      weekday = (weekday + lengthOf(month, isLeap)) % 7;
    }
    return count;
  };
  let beforeYears: Int32Array | undefined;
  const yearsBefore = (): Int32Array => {
    if (beforeYears !== undefined) return beforeYears;
    beforeYears = new Int32Array(CYCLE_YEARS + 1);
    const byKind = new Map<number, number>();
    for (let year = 0; year < CYCLE_YEARS; year++) {
      const kind = weekdayOfNewYear(year) * 2 + Number(isLeapYear(year));
      const count = byKind.get(kind) ?? ofMonths(year, MONTH_LENGTHS.length);
      byKind.set(kind, count);
      beforeYears[year + 1] = (beforeYears[year] ?? 0) + count;
    }
    return beforeYears;
  };
  const placeOf = (day: number) => {
    const date = new Date(day * DAY_SECONDS * 1000);
    const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const firstWeekday = (((date.getUTCDay() - ofMonth + 1) % 7) + 7) % 7;
    return { year, month, ofMonth, mask: maskOf(month, firstWeekday, isLeapYear(year)) };
  };
  return {
    has: (day) => {
      const { mask, ofMonth } = placeOf(day);
      return ((mask >> (ofMonth - 1)) & 1) === 1;
    },
    daysBefore: (day) => {
      const { year, month, ofMonth, mask } = placeOf(day);
      const cycles = Math.floor(year / CYCLE_YEARS);
      const years = yearsBefore();
      const before = cycles * (years[CYCLE_YEARS] ?? 0) + (years[year - cycles * CYCLE_YEARS] ?? 0);
      return before + ofMonths(year, month) + bitCount(mask & ((1 << (ofMonth - 1)) - 1));
    },
  };
}

/** The days of a month as bits, the first day lowest; as croner matches them. */
function monthMask(pattern: CronPattern, month: number, firstWeekday: number, length: number): number {
  if (pattern.month[month] !== 1) return 0;
  const weekdayOf = (day: number): number => (firstWeekday + day - 1) % 7;
  const bitOf = (day: number): number => 1 << (day - 1);
  let mask = 0;
  for (let day = 1; day <= length; day++) {
    if (pattern.day[day - 1] === 1) mask |= bitOf(day);
    if (pattern.nearestWeekdays[day - 1]) mask |= bitOf(nearestWeekday(day, weekdayOf(day), length));
  }
  if (pattern.lastWeekday) mask |= bitOf(length - [2, 0, 0, 0, 0, 0, 1][weekdayOf(length)]!);
  if (pattern.lastDayOfMonth) mask |= bitOf(length);
  if (pattern.starDOW) return mask;
  let weekdays = 0;
  for (let day = 1; day <= length; day++) {
    // A bit for each of the first five weeks of a month, and one for the last.
    const weeks = pattern.dayOfWeek[weekdayOf(day)] ?? 0;
    const isLast = day + 7 > length && (weeks & 32) !== 0;
    if (isLast || (weeks & (1 << (Math.ceil(day / 7) - 1))) !== 0) weekdays |= bitOf(day);
  }
  return pattern.useAndLogic || pattern.starDOM ? mask & weekdays : mask | weekdays;
}

/** In the same month. */
function nearestWeekday(day: number, weekday: number, length: number): number {
  if (weekday === 0) return day === length ? day - 2 : day + 1;
  if (weekday === 6) return day === 1 ? day + 2 : day - 1;
  return day;
}

function lengthOf(month: number, isLeap: boolean): number {
  return (MONTH_LENGTHS[month] ?? 0) + Number(isLeap && month === 1);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % CYCLE_YEARS === 0);
}

/** 0 is Sunday. */
function weekdayOfNewYear(year: number): number {
  const before = year - 1;
  const days = 365 * before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / CYCLE_YEARS);
  return (((days + 1) % 7) + 7) % 7;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
