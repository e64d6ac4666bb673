/** Values that are not RFC 3339 timestamps, although a lenient parser would accept most of them. */
import * as fc from 'fast-check';
import { timestamp } from '../metrics/windows.ts';

/** An instant in invalid formats. Offsets and fractions are valid in RFC 3339 and therefore not among them. */
export function otherSpellings(instant: number): string[] {
  const right = timestamp(instant);
  const [date = '', time = ''] = right.slice(0, -1).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return [
    date,
    `${date}T`,
    date.replaceAll('-', ''),
    `${year}-${month}`,
    year,
    `${date}T${time}`,
    `${date}T${time.slice(0, 5)}Z`,
    `${date}TZ`,
    time,
    `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}Z`,
    `${date.replaceAll('-', '/')}T${time}Z`,
    `${day}.${month}.${year} ${time}`,
    `${year}-${Number(month)}-${Number(day)}T${Number(time.slice(0, 2))}:0:0Z`,
    `${year.slice(2)}-${month}-${day}T${time}Z`,
    new Date(instant).toUTCString(),
    String(instant / 1000),
    String(instant),
    (instant / 1000).toExponential(),
    `${right}x`,
    `x${right}`,
    `"${right}"`,
    ...[0xff10, 0x0660].map((zero) => inOtherDigits(right, zero)),
    `+00${right}`,
    `${year}-${ordinalDay(instant)}T${time}Z`,
    `${date}T${time}.Z`,
    ...['-99:99', ' UTC', 'UTC', 'Z[UTC]'].map((zone) => `${date}T${time}${zone}`),
  ];
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

export const words = [
  '',
  'now',
  'today',
  'yesterday',
  'last week',
  '-7d',
  'P7D',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  'T',
  'Z',
];

interface Parts {
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

const valid: Parts = { month: '06', day: '15', hour: '12', minute: '30', second: '30' };
const between = (min: number, max: number) => fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));

/** Timestamps with one part just outside its range, in the current year unless the year is that part. */
export function justOutside(year: number): string[] {
  const parts = [
    '00-15T12:30:30',
    '13-15T12:30:30',
    '06-00T12:30:30',
    '06-31T12:30:30',
    '07-32T12:30:30',
    '02-30T12:30:30',
  ];
  const times = ['06-15T24:00:00', '06-15T24:30:30', '06-15T25:00:00', '06-15T12:60:30', '06-15T12:30:61'];
  const leapDay = isLeap(year) ? [] : ['02-29T12:30:30'];
  // Multiples of four, but not leap years.
  const centuries = [1900, 2100].map((century) => `${century}-02-29T12:30:30Z`);
  return [...[...parts, ...times, ...leapDay].map((part) => `${year}-${part}Z`), ...centuries];
}

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
