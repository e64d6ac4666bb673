/** Unlisted values of the version header: dates, previews, and values of neither form. */
import * as fc from 'fast-check';
import { versions } from '../../spec/versions.ts';

const listed: readonly string[] = versions.map(({ version }) => version);
const isUnlisted = (value: string): boolean => !listed.includes(value);
/** Listed dates shifted by a day, a month and a year. */
const adjacentDates = listed
  .flatMap(dateOf)
  .flatMap((date) => [-1, 1, -30, 30, -365, 365].map((days) => shiftDate(date, days)));

export const unlistedDates: readonly string[] = [
  ...adjacentDates,
  '2024-02-29',
  '1970-01-01',
  '0001-01-01',
  '9999-12-31',
].filter(isUnlisted);

export const unlistedPreviews: readonly string[] = [...listed.flatMap(dateOf), ...unlistedDates]
  .map((date) => `${date}.preview`)
  .filter(isUnlisted);

export const malformedVersions: readonly string[] = [
  'latest',
  'v1',
  '2026-4-16',
  '2026-04-16.beta',
  '2026-13-45',
  '2026-02-30',
  '0',
  'null',
  '__proto__',
  '*',
  ...listed.flatMap(dateOf).flatMap(misspellings),
].filter(isUnlisted);

/** Calendar dates before, between and after the listed versions. */
export const unlistedDate: fc.Arbitrary<string> = fc
  .oneof(
    fc.date({ min: new Date('2020-01-01'), max: new Date('2032-12-31'), noInvalidDate: true }),
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  )
  .map((date) => date.toISOString().slice(0, 10))
  .filter(isUnlisted);

export const unlistedPreview: fc.Arbitrary<string> = fc
  .oneof(unlistedDate, fc.constantFrom(...listed.flatMap(dateOf)))
  .map((date) => `${date}.preview`)
  .filter(isUnlisted);

/** Visible ASCII without commas, which would mean a repeated header. */
const visible = fc
  .integer({ min: 0x21, max: 0x7e })
  .map((code) => String.fromCharCode(code))
  .filter((character) => character !== ',');
const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\d(\.preview)?$/.test(value);

export const malformedVersion: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: visible, minLength: 1, maxLength: 24 }),
    fc.string({ unit: fc.constantFrom('2', '0', '6', '1', '-', '.', '4'), minLength: 1, maxLength: 12 }),
    fc
      .tuple(fc.constantFrom(...listed), fc.string({ unit: visible, minLength: 1, maxLength: 8 }))
      .map(([date, tail]) => date + tail),
    fc
      .tuple(fc.string({ unit: visible, minLength: 1, maxLength: 4 }), fc.constantFrom(...listed))
      .map(([head, date]) => head + date),
  )
  .filter((value) => isUnlisted(value) && !isDate(value));

/** Unlisted values without quotes, markup or backslashes, which a server may escape in a message. */
export const plainUnlisted: fc.Arbitrary<string> = fc
  .oneof(unlistedDate, unlistedPreview, fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,19}[A-Za-z0-9]$/))
  .filter(isUnlisted);

function dateOf(version: string): string[] {
  const date = version.slice(0, 10);
  return Number.isNaN(Date.parse(date)) ? [] : [date];
}

function shiftDate(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function misspellings(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-');
  return [
    `${year}${month}${day}`,
    `${year}/${month}/${day}`,
    `${year}.${month}.${day}`,
    `${day}-${month}-${year}`,
    `${year}-${month}`,
    year,
    `v${date}`,
    `"${date}"`,
    `=${date}`,
    `${date}0`,
    `${date}.`,
    `${date};`,
    `${date}Z`,
    `${date}T00:00:00Z`,
    `${date}-preview`,
    `${date}preview`,
    `${date}.PREVIEW`,
    `${date}.preview.1`,
    `${date}.previews`,
    `0${date}`,
  ];
}
