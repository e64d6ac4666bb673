/** Checks that the catalogue is complete and consistent: ids, rule texts, needs and operations. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operation, operations } from '../operations.ts';
import { scopes } from '../values.ts';
import { isRequirementId, requirement, requirements } from './index.ts';
import { operationsOf } from './operations-of.ts';
import { describeNeed, needs } from './requirement.ts';
import { describeSource, headings, headingsWithoutRules } from './source.ts';
import type { Requirement } from './requirement.ts';

const rows: readonly Requirement[] = requirements;
const folder = new URL('./', import.meta.url);
const areaFiles = readdirSync(folder).filter(
  (file) => !/\.test\.ts$|^(index|requirement|source|operations-of|need-advice|mcp-sources)\.ts$/.test(file),
);

test('the catalogue has at least its original 193 rules, 171 of them must rules', () => {
  expect(rows.length).toBeGreaterThanOrEqual(193);
  expect(rows.filter(({ level }) => level === 'must').length).toBeGreaterThanOrEqual(171);
});

test('every id is unique and has three parts of lowercase words', () => {
  const part = '[a-z0-9]+(-[a-z0-9]+)*';
  const form = new RegExp(`^${part}\\.${part}\\.${part}$`);
  expect(rows.map(({ id }) => id).filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test.each(areaFiles)('%s contains only rules of its area, and the catalogue contains them all', async (file) => {
  const exported: unknown[] = Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>);
  const own = exported.flat() as Requirement[];
  const area = file.startsWith('metrics') ? 'metrics' : file.replace('.ts', '');
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ id }) => !id.startsWith(`${area}.`) || !isRequirementId(id))).toEqual([]);
});

test('every rule text is unique and ends with a full stop', () => {
  expect(rows.filter(({ rule }) => !/^\S.*\.\)?$/.test(rule)).map(({ id }) => id)).toEqual([]);
  expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
});

test('every need is known and used by a rule', () => {
  const plain = new Set<string>(Object.keys(needs));
  const known = new Set<string>([...plain, ...scopes.map((scope) => `scope:${scope}`)]);
  const used = new Set<string>(rows.flatMap((row) => row.needs));
  expect([...used].filter((need) => !known.has(need))).toEqual([]);
  expect([...plain].filter((need) => !used.has(need))).toEqual([]);
});

test('every need has a description for reports', () => {
  expect(describeNeed('agent')).toBe('an agent of generation mk2');
  expect(describeNeed('scope:agents:update')).toBe('a credential whose only scope is agents:update');
});

// The auth rules do not count: they apply to all documented operations.
test('every documented operation is named by at least one rule outside auth', () => {
  const namedIds = new Set<string>(rows.filter(({ id }) => !id.startsWith('auth.')).flatMap((row) => row.operations));
  const unnamed = operations.filter(({ id, documented }) => documented && !namedIds.has(id));
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

test('every heading of the interface document is the source of a rule or is listed with a reason', () => {
  const cited = new Set<string>(
    rows.flatMap(({ sources }) => sources.map((each) => ('heading' in each ? each.heading : ''))),
  );
  expect(headings.filter((heading) => !cited.has(heading))).toEqual([]);
  expect(headings.filter((heading) => heading in headingsWithoutRules)).toEqual([]);
});

test('every rule quotes its sources', () => {
  expect(rows.filter(({ sources }) => sources.some(({ words }) => words.length < 5)).map(({ id }) => id)).toEqual([]);
  expect(describeSource(requirement('oauth.errors.invalid-client').sources[0])).toBe(
    'RFC 6749, section 5.2: “Client authentication failed”',
  );
  expect(describeSource(requirement('naming.name.immutable').sources[0])).toBe('Metadata: “Immutable after creation.”');
});

test('rules refer to documented operations only', () => {
  const resolved = rows.map((row) => ({ id: row.id, operations: operationsOf(row) }));
  expect(resolved.filter((row) => row.operations.length === 0)).toEqual([]);
  expect(resolved.filter((row) => row.operations.some((id) => !operation(id).documented))).toEqual([]);
});

test('a surface expands to its documented operations', () => {
  expect(operationsOf({ operations: ['host'] }).toSorted()).toEqual([
    'authorize',
    'createJobExecution',
    'requestToken',
  ]);
});

test('the type of a row includes its values', () => {
  const capDays: 7 = requirement('metrics.resolution.hourly-cap').values.capDays;
  expect(capDays).toBe(7);
});

test('a mistyped id does not compile, and throws if the compiler error is suppressed', () => {
  // @ts-expect-error -- no such id
  expect(() => requirement('metrics.resolution.hourly-cup')).toThrow('"metrics.resolution.hourly-cup"');
});
