/** Holds the catalogue to its promises: complete, unambiguous ids, known needs, every documented operation spoken of. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operation, operations } from '../operations.ts';
import { scopes } from '../values.ts';
import { isRequirementId, requirement, requirements } from './index.ts';
import { operationsOf } from './operations-of.ts';
import { meaningOf, needs } from './requirement.ts';
import type { Requirement } from './requirement.ts';

const rows: readonly Requirement[] = requirements;
const folder = new URL('./', import.meta.url);
const areaFiles = readdirSync(folder).filter(
  (file) => !/\.test\.ts$|^(index|requirement|operations-of)\.ts$/.test(file),
);

test('the catalogue has lost none of its first 193 rules, 171 of them must', () => {
  expect(rows.length).toBeGreaterThanOrEqual(193);
  expect(rows.filter(({ level }) => level === 'must').length).toBeGreaterThanOrEqual(171);
});

test('an id is three parts of lower-case words, and is given once', () => {
  const part = '[a-z0-9]+(-[a-z0-9]+)*';
  const form = new RegExp(`^${part}\\.${part}\\.${part}$`);
  expect(rows.map(({ id }) => id).filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test.each(areaFiles)('%s has rules of its own area only, all of them in the catalogue', async (file) => {
  const exported: unknown[] = Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>);
  const own = exported.flat() as Requirement[];
  const area = file.startsWith('metrics') ? 'metrics' : file.replace('.ts', '');
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ id }) => !id.startsWith(`${area}.`) || !isRequirementId(id))).toEqual([]);
});

test('a rule is one text of whole sentences, told once', () => {
  expect(rows.filter(({ rule }) => !/^\S.*\.\)?$/.test(rule)).map(({ id }) => id)).toEqual([]);
  expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
});

test('every need is known, and each is needed by some rule', () => {
  const plain = new Set<string>(Object.keys(needs));
  const known = new Set<string>([...plain, ...scopes.map((scope) => `scope:${scope}`)]);
  const used = new Set<string>(rows.flatMap((row) => row.needs));
  expect([...used].filter((need) => !known.has(need))).toEqual([]);
  expect([...plain].filter((need) => !used.has(need))).toEqual([]);
});

test('a need has words for the report', () => {
  expect(meaningOf('agent')).toBe('an agent of generation mk2');
  expect(meaningOf('scope:agents:update')).toBe('a credential whose only scope is agents:update');
});

// Those of credentials hold for whatever is documented.
test('every documented operation is named by at least one rule that is not of credentials', () => {
  const named = new Set<string>(rows.filter(({ id }) => !id.startsWith('auth.')).flatMap((row) => row.operations));
  const unnamed = operations.filter(({ id, documented }) => documented && !named.has(id));
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

test('a rule speaks of documented operations only', () => {
  const spoken = rows.map((row) => ({ id: row.id, operations: operationsOf(row) }));
  expect(spoken.filter((row) => row.operations.length === 0)).toEqual([]);
  expect(spoken.filter((row) => row.operations.some((id) => !operation(id).documented))).toEqual([]);
});

test('a surface stands for its documented operations', () => {
  expect(operationsOf({ operations: ['host'] }).toSorted()).toEqual([
    'authorize',
    'createJobExecution',
    'requestToken',
  ]);
});

test('a row keeps its own values in its type', () => {
  const capDays: 7 = requirement('metrics.resolution.hourly-cap').values.capDays;
  expect(capDays).toBe(7);
});

test('a mistyped id does not compile, and throws where the compiler is overruled', () => {
  // @ts-expect-error -- no such id
  expect(() => requirement('metrics.resolution.hourly-cup')).toThrow('"metrics.resolution.hourly-cup"');
});
