import { expect, test } from 'vitest';
import { listGroupByValues, listResourceTypes } from './enums.ts';
import { sampleAccount } from '../testing/sample-account.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const resources = sampleAccount(60, 7, NOW);

const typesIn = (start: string, end: string, metered = resources) =>
  listResourceTypes({
    resources: metered,
    parameters: new URLSearchParams({ startTime: start, endTime: end }),
    now: NOW,
    seed: 7,
  }).values;

test('the groupBy values are the five dimensions', () => {
  expect(listGroupByValues().values).toEqual([
    'workspace',
    'resource_type',
    'resource_name',
    'resource_uuid',
    'billing_dimension',
  ]);
});

test('the resource types are those with use in the window', () => {
  const all = ['agent', 'custom_domain', 'job', 'mcp_server', 'sandbox', 'volume'];
  expect(typesIn('2025-01-01T00:00:00Z', '2026-11-15T00:00:00Z')).toEqual(all);
  const volumes = resources.filter(({ type }) => type === 'volume');
  expect(typesIn('2025-01-01T00:00:00Z', '2026-11-15T00:00:00Z', volumes)).toEqual(['volume']);
});

test('a window before the first resource or after now has no types', () => {
  expect(typesIn('2001-01-01T00:00:00Z', '2002-01-01T00:00:00Z')).toEqual([]);
  expect(typesIn('2026-11-16T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([]);
});

test('the window is required', () => {
  expect(() => listResourceTypes({ resources, parameters: [], now: NOW, seed: 7 })).toThrow(
    expect.objectContaining({ status: 400 }),
  );
});
