/** Values that are not RFC 3339 timestamps, although a lenient parser would accept most of them. */
import * as fc from 'fast-check';
import { timestamp } from '../metrics/windows.ts';

/**
 * Wrong timestamps near an instant by the mistake of a server that accepts them. Offsets and fractions are valid in RFC 3339 and
 * therefore not among them.
 */
export function wrongTimestamps(instant: number): Readonly<Record<string, readonly string[]>> {
  const right = timestamp(instant);
  const [date = '', time = ''] = right.slice(0, -1).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const outside = (...parts: readonly string[]) => parts.map((part) => `${year}-${part}Z`);
  return {
    'date only': [date],
    'no offset': [`${date}T${time}`],
    'seconds since 1970': [String(instant / 1000)],
    'milliseconds since 1970': [String(instant)],
    nothing: [''],
    now: ['now'],
    word: ['today', 'yesterday', 'last week'],
    'day beyond the month': [
      ...outside('06-31T12:30:30', '02-30T12:30:30'),
      ...(isLeap(Number(year)) ? [] : outside('02-29T12:30:30')),
    ],
    'month beyond the year': outside('13-15T12:30:30'),
    'hour 24': outside('06-15T24:00:00', '06-15T24:30:30'),
    'month 0 or day 0': outside('00-15T12:30:30', '06-00T12:30:30'),
    'day 32': outside('07-32T12:30:30'),
    'hour 25': outside('06-15T25:00:00'),
    'minute 60': outside('06-15T12:60:30'),
    'second 61': outside('06-15T12:30:61'),
    // Multiples of four, but not leap years: one as a start, the other one as an end.
    'leap day of 1900': ['1900-02-29T12:30:30Z'],
    'leap day of 2100': ['2100-02-29T12:30:30Z'],
    'no seconds': [`${date}T${time.slice(0, 5)}Z`],
    'no time': [`${date}T`, `${date}TZ`],
    'month only': [`${year}-${month}`],
    'year only': [year],
    'time only': [time],
    'no separators': [date.replaceAll('-', ''), `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}Z`],
    'other separators': [`${date.replaceAll('-', '/')}T${time}Z`, `${day}.${month}.${year} ${time}`],
    'no leading zeros': [`${year}-${Number(month)}-${Number(day)}T${Number(time.slice(0, 2))}:0:0Z`],
    'short year': [`${year.slice(2)}-${month}-${day}T${time}Z`],
    'long year': [`+00${right}`],
    'format of HTTP': [new Date(instant).toUTCString()],
    'number in scientific notation': [(instant / 1000).toExponential()],
    'other text around it': [`${right}x`, `x${right}`, `"${right}"`],
    'digits of another script': [0xff10, 0x0660].map((zero) => inOtherDigits(right, zero)),
    'day of the year': [`${year}-${ordinalDay(instant)}T${time}Z`],
    'fraction without digits': [`${date}T${time}.Z`],
    'impossible offset': [`${date}T${time}-99:99`],
    'name of a zone': [' UTC', 'UTC', 'Z[UTC]'].map((zone) => `${date}T${time}${zone}`),
    'distance from now': ['-7d', 'P7D'],
    'JSON value': ['null', 'undefined', 'NaN', 'true'],
    'small number': ['0', '-1'],
    'only a separator': ['T', 'Z'],
  };
}

/** Digits of another script, whose zero has the code point `zero`. */
function inOtherDigits(text: string, zero: number): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
}

/** The day of the year, as in ISO 8601 ordinal dates. */
function ordinalDay(instant: number): string {
  const beginning = Date.UTC(new Date(instant).getUTCFullYear(), 0);
  return String(Math.floor((instant - beginning) / 86_400_000) + 1).padStart(3, '0');
}

interface Parts {
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

const valid: Parts = { month: '06', day: '15', hour: '12', minute: '30', second: '30' };
const between = (min: number, max: number) => fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Timestamps of this year with one part out of its range; only slightly, so that a rolled-over date is still near. */
export function impossibleTimestamp(year: number): fc.Arbitrary<string> {
  const wrongParts: fc.Arbitrary<Partial<Parts>> = fc.oneof(
    fc.record({ month: fc.oneof(fc.constant('00'), between(13, 20)) }),
    fc.record({ day: fc.oneof(fc.constant('00'), between(32, 60)) }),
    fc.record({ month: fc.constantFrom('04', '06', '09', '11'), day: fc.constant('31') }),
    fc.record({ month: fc.constant('02'), day: between(isLeap(year) ? 30 : 29, 31) }),
    fc.record({ hour: between(24, 48) }),
    fc.record({ minute: between(60, 90) }),
    // 60 may be a leap second.
    fc.record({ second: between(61, 90) }),
  );
  return wrongParts.map((wrong) => {
    const { month, day, hour, minute, second } = { ...valid, ...wrong };
    return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  });
}
