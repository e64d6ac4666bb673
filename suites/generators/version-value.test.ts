import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { versions } from '../../spec/versions.ts';
import * as values from './version-value.ts';

const listed = versions.map(({ version }) => version);
const date = /^\d{4}-\d\d-\d\d$/;

test('dates and previews are well-formed and unlisted', () => {
  const dates = [...values.unlistedDates, ...fc.sample(values.unlistedDate, 200)];
  for (const value of dates) expect([value, new Date(value).toJSON().slice(0, 10)]).toEqual([value, value]);
  const previews = [...values.unlistedPreviews, ...fc.sample(values.unlistedPreview, 200)];
  for (const value of previews) expect(value.replace(/\.preview$/, '')).toMatch(date);
  for (const value of [...dates, ...previews]) expect(listed).not.toContain(value);
  expect(values.unlistedPreviews).toContain('2026-04-16.preview');
});

test('malformed values are visible ASCII without commas, and neither dates nor previews', () => {
  for (const value of [...values.malformedVersions, ...fc.sample(values.malformedVersion, 500)]) {
    expect(value).toMatch(/^[!-+\--~]+$/);
    expect(listed).not.toContain(value);
    expect(
      date.test(value.replace(/\.preview$/, '')) &&
        !Number.isNaN(Date.parse(value.slice(0, 10))) &&
        !/02-30/.test(value),
    ).toBe(false);
  }
});
