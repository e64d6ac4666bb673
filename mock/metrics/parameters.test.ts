import { expect, test } from 'vitest';
import { groupByDimensions, limits } from '../../spec/values.ts';
import { GROUP_BY_VALUES, MAX_GROUP_BY_VALUES } from './groups.ts';
import { MAX_ENTRIES } from './pages.ts';
import { readQuery, readWindowOnly } from './parameters.ts';

const WINDOW = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-08T00:00:00Z';
const read = (parameters: string) => readQuery(new URLSearchParams(parameters));

test('names and limits match the documents', () => {
  expect(GROUP_BY_VALUES).toEqual(groupByDimensions);
  expect(MAX_GROUP_BY_VALUES).toBe(limits.groupByDimensions);
  expect(MAX_ENTRIES).toBe(limits.metricsPageMax);
});

test('a window without other parameters has its default resolution, no groups, no filters and pages of 100', () => {
  expect(read(WINDOW)).toEqual({
    window: { start: Date.parse('2026-10-01T00:00:00Z'), end: Date.parse('2026-10-08T00:00:00Z') },
    resolution: 'daily',
    groupBy: [],
    filters: {},
    limit: 100,
  });
});

test('every parameter is parsed', () => {
  const query = read(
    `${WINDOW}&resolution=hourly&groupBy=billing_dimension,workspace&workspace=w&resourceType=agent&resourceName=n` +
      '&resourceUuid=u&billingDimension=agent_compute_runtime_gbs&limit=7&cursor=c',
  );
  expect(query).toMatchObject({
    resolution: 'hourly',
    groupBy: ['workspace', 'billing_dimension'],
    filters: {
      workspace: 'w',
      resourceType: 'agent',
      resourceName: 'n',
      resourceUuid: 'u',
      billingDimension: 'agent_compute_runtime_gbs',
    },
    limit: 7,
    cursor: 'c',
  });
});

test.each([
  ['1', 1],
  ['100', 100],
  ['101', 100],
  ['007', 7],
  ['99999999999999999999999', 100],
])('limit=%s acts as %d', (text, limit) => {
  expect(read(`${WINDOW}&limit=${text}`).limit).toBe(limit);
});

test('other offsets than Z are converted to the same instants', () => {
  const { window } = read('startTime=2026-10-01T02:00:00%2B02:00&endTime=2026-10-07T23:00:00-01:00');
  expect(window).toEqual(read(WINDOW).window);
});

test('undocumented parameters are ignored', () => {
  expect(read(`${WINDOW}&page=3&page=4&Limit=0`)).toEqual(read(WINDOW));
});

test.each([
  ['endTime=2026-10-08T00:00:00Z', 'startTime', 'missing'],
  ['startTime=2026-10-08T00:00:00Z', 'endTime', 'missing'],
  ['startTime=2026-10-01&endTime=2026-10-08T00:00:00Z', 'startTime', '"2026-10-01"'],
  ['startTime=2026-13-01T00:00:00Z&endTime=2026-10-08T00:00:00Z', 'startTime', '"2026-13-01T00:00:00Z"'],
  ['startTime=2026-10-01T00:00:00Z&endTime=2026-10-08T25:00:00Z', 'endTime', '"2026-10-08T25:00:00Z"'],
  ['startTime=1790000000&endTime=2026-10-08T00:00:00Z', 'startTime', '"1790000000"'],
  ['startTime=yesterday&endTime=2026-10-08T00:00:00Z', 'startTime', '"yesterday"'],
  ['startTime=&endTime=2026-10-08T00:00:00Z', 'startTime', 'empty'],
  ['startTime=2026-10-01T00:00:00+02:00&endTime=2026-10-08T00:00:00Z', 'startTime', '%2B'],
  ['startTime=0000-01-01T00:00:00%2B01:00&endTime=2026-10-08T00:00:00Z', 'startTime', '0000'],
  ['startTime=2026-10-08T00:00:00Z&endTime=2026-10-01T00:00:00Z', 'endTime', 'after startTime'],
  ['startTime=2026-10-08T00:00:00Z&endTime=2026-10-08T00:00:00Z', 'endTime', 'after startTime'],
  [`${WINDOW}&startTime=2026-10-02T00:00:00Z`, 'startTime', 'more than once'],
  [`${WINDOW}&resolution=yearly`, 'resolution', 'hourly, daily, weekly, monthly'],
  [`${WINDOW}&resolution=Hourly`, 'resolution', 'hourly, daily, weekly, monthly'],
  [
    'startTime=2026-10-01T00:00:00Z&endTime=2026-10-08T00:00:01Z&resolution=hourly',
    'resolution',
    'daily, weekly, monthly',
  ],
  ['startTime=2026-01-01T00:00:00Z&endTime=2026-04-01T00:00:01Z&resolution=daily', 'resolution', 'weekly, monthly'],
  ['startTime=2025-01-01T00:00:00Z&endTime=2026-01-03T00:00:00Z&resolution=weekly', 'resolution', 'monthly'],
  [`${WINDOW}&groupBy=`, 'groupBy', 'empty'],
  [`${WINDOW}&groupBy=region`, 'groupBy', '"region"'],
  [`${WINDOW}&groupBy=workspace,Resource_Type`, 'groupBy', '"Resource_Type"'],
  [`${WINDOW}&groupBy=workspace, resource_type`, 'groupBy', '" resource_type"'],
  [`${WINDOW}&groupBy=workspace,`, 'groupBy', '""'],
  [`${WINDOW}&groupBy=label`, 'groupBy', '"label"'],
  [`${WINDOW}&groupBy=resource_type,unit`, 'groupBy', '"unit"'],
  [`${WINDOW}&groupBy=workspace,workspace`, 'groupBy', 'once'],
  [`${WINDOW}&groupBy=workspace,resource_type,resource_name,resource_uuid`, 'groupBy', 'at most 3'],
  [`${WINDOW}&label=env`, 'label', 'not supported'],
  [`${WINDOW}&unit=`, 'unit', 'not supported'],
  [`${WINDOW}&billingDimension=agent_compute`, 'billingDimension', 'sandbox_compute_runtime_gbs'],
  [`${WINDOW}&billingDimension=toString`, 'billingDimension', '"toString"'],
  [`${WINDOW}&limit=0`, 'limit', '"0"'],
  [`${WINDOW}&limit=-1`, 'limit', '"-1"'],
  [`${WINDOW}&limit=1.5`, 'limit', '"1.5"'],
  [`${WINDOW}&limit=1e1`, 'limit', '"1e1"'],
  [`${WINDOW}&limit=ten`, 'limit', '"ten"'],
  [`${WINDOW}&limit=`, 'limit', 'empty'],
  [`${WINDOW}&workspace=`, 'workspace', 'empty'],
  [`${WINDOW}&cursor=`, 'cursor', 'empty'],
])('%s is rejected with the parameter %s and the message %s', (parameters, field, says) => {
  const refused = () => read(parameters);
  expect(refused).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(says) }));
  expect(refused).toThrow(new RegExp(`^${field} `));
});

test.each([
  ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z', 'daily'],
  ['2026-10-01T00:00:00Z', '2026-10-08T00:00:00Z', 'hourly'],
  ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'weekly'],
  ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', 'weekly'],
  ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'monthly'],
])('the window from %s to %s may have the resolution %s', (start, end, resolution) => {
  expect(read(`startTime=${start}&endTime=${end}&resolution=${resolution}`).resolution).toBe(resolution);
});

test('an operation with only a window ignores other parameters', () => {
  expect(readWindowOnly(new URLSearchParams(`${WINDOW}&limit=0&label=x`))).toEqual(read(WINDOW).window);
  expect(() => readWindowOnly(new URLSearchParams())).toThrow(/^startTime is missing/);
});
