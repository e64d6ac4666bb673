import { expect, test } from 'vitest';
import { billingDimensions } from '../../spec/values.ts';
import { causes, metersOf, type Setting } from './causes.ts';
import type { Traffic } from './usage-patterns.ts';

const START = Date.parse('2025-01-01T00:00:00Z');
const DAY = 86_400_000;
const traffic: Traffic = { requestsPerDay: 900, pattern: 'office-hours' };
const setting = (more: Partial<Setting> = {}): Setting => ({
  from: START,
  serves: true,
  memory: 4,
  minScale: 0,
  isAsync: false,
  image: 5,
  size: 10,
  ...more,
});
const weights = (...args: Parameters<typeof metersOf>): object =>
  Object.fromEntries(metersOf(...args).map(({ dimension, weight }) => [dimension, weight]));
const span = { start: START };

test('every billing dimension has a cause', () => {
  expect(Object.keys(causes).toSorted()).toEqual(billingDimensions.toSorted());
});

test('an agent without instances and requests only has its image', () => {
  expect(weights('agent', [setting()], span, undefined)).toEqual({ agent_image_storage_gbs: 5 });
  expect(weights('agent', [setting({ serves: false, minScale: 2 })], span, traffic)).toEqual({
    agent_image_storage_gbs: 5,
  });
});

test('instances, requests and async requests of an agent', () => {
  const instances = metersOf('agent', [setting({ minScale: 2 })], span, undefined);
  expect(instances).toContainEqual({
    dimension: 'agent_compute_runtime_gbs',
    use: 'steady',
    weight: 8,
    spans: [{ start: START }],
  });
  expect(weights('agent', [setting({ isAsync: true })], span, traffic)).toEqual({
    agent_compute_runtime_gbs: 4,
    agent_image_storage_gbs: 5,
    agent_async_requests_count: 1,
  });
  expect(weights('agent', [setting({ isAsync: true })], span, undefined)).not.toHaveProperty(
    'agent_async_requests_count',
  );
});

test('a sandbox runs all the time, or with its requests and as a snapshot', () => {
  expect(weights('sandbox', [setting()], span, undefined)).toEqual({
    sandbox_compute_runtime_gbs: 4,
    sandbox_image_storage_gbs: 5,
  });
  expect(weights('sandbox', [setting()], span, traffic)).toEqual({
    sandbox_compute_runtime_gbs: 4,
    sandbox_image_storage_gbs: 5,
    sandbox_snapshot_storage_gbs: 12,
  });
});

test('a volume costs by its size, a domain by its existence', () => {
  expect(weights('volume', [setting({ size: 1000 })], span, undefined)).toEqual({ volume_storage_gbs: 1000 });
  expect(weights('custom_domain', [setting()], span, undefined)).toEqual({ custom_domain_active_time_hours: 1 });
});

test('each setting is valid until the next one, and the last one until the end', () => {
  const settings = [
    setting({ size: 10 }),
    setting({ from: START + DAY, size: 20 }),
    setting({ from: START + 2 * DAY, size: 20 }),
    setting({ from: START + 9 * DAY, size: 30 }),
  ];
  const meters = metersOf('volume', settings, { start: START, end: START + 4 * DAY }, undefined);
  expect(meters.map(({ weight, spans }) => ({ weight, spans }))).toEqual([
    { weight: 10, spans: [{ start: START, end: START + DAY }] },
    { weight: 20, spans: [{ start: START + DAY, end: START + 4 * DAY }] },
  ]);
  expect(JSON.parse(JSON.stringify(meters))).toEqual(meters);
});
