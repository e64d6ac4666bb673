import { expect, test } from 'vitest';
import { isOfType } from './dimensions.ts';
import { metersFor, stopMeters, type MeteredResource } from './meters.ts';

const START = Date.parse('2025-01-01T00:00:00Z');
const DAY = 86_400_000;
const names = Array.from({ length: 100 }, (_, nth) => `agent-${nth}`);

test('a resource has only meters of its type, and always a compute meter', () => {
  for (const name of names) {
    const dimensions = metersFor('agent', 1, name, { start: START }).map(({ dimension }) => dimension);
    expect(dimensions).toContain('agent_compute_runtime_gbs');
    expect(dimensions.every((dimension) => isOfType(dimension, 'agent'))).toBe(true);
  }
});

test('meters depend on seed and identity', () => {
  const meters = (seed: number) => names.map((name) => metersFor('agent', seed, name, { start: START }));
  expect(meters(1)).toEqual(meters(1));
  expect(meters(1)).not.toEqual(meters(2));
});

test('meters survive JSON', () => {
  const meters = names.flatMap((name) => metersFor('agent', 1, name, { start: START, end: START + 300 * DAY }));
  expect(JSON.parse(JSON.stringify(meters))).toEqual(meters);
});

test('spans are disjoint, in order and within the life of the resource; some have quiet stretches between them', () => {
  const end = START + 200 * DAY;
  const meters = names.flatMap((name) => metersFor('agent', 1, name, { start: START, end }));
  for (const { spans } of meters) {
    const edges = spans.flatMap((span) => [span.start, span.end ?? Infinity]);
    expect(edges).toEqual(edges.toSorted((left, right) => left - right));
    expect(edges[0]).toBe(START);
    expect(edges.at(-1)).toBeLessThanOrEqual(end);
  }
  expect(meters.filter(({ spans }) => spans.length > 1).length).toBeGreaterThan(20);
});

test('a stopped resource keeps its past spans and has none after it stopped', () => {
  const meters = metersFor('agent', 1, 'agent-1', { start: START });
  const resource: MeteredResource = { workspace: 'w', type: 'agent', name: 'agent-1', uuid: 'u', meters };
  const at = START + 100 * DAY;
  for (const { spans } of stopMeters(resource, at).meters) {
    expect(spans[0]?.start).toBe(START);
    expect(spans.every(({ end }) => end !== undefined && end <= at)).toBe(true);
  }
  expect(stopMeters(resource, START).meters.every(({ spans }) => spans.length === 0)).toBe(true);
});
