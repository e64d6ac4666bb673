import { expect, test } from 'vitest';
import { matchesDirectory, matchesGlob, matchesWildcard } from './wildcard.ts';

test.each([
  ['a.log', '*.log', true],
  ['a.log', 'a.log', true],
  ['a.log', '?.log', true],
  ['a.log', '*', true],
  ['', '*', true],
  ['a.logs', '*.log', false],
  ['ab.log', '?.log', false],
  ['src/a/b.ts', 'src/**', true],
  ['src', 'src/*', false],
  ['aXbXc', 'a*b*c', true],
  ['a.log', 'a+log', false],
  ['', '', true],
  ['a', '', false],
])('%s against %s is %s', (text, pattern, matches) => {
  expect(matchesWildcard(text, pattern, { one: true })).toBe(matches);
});

test.each([
  ['metrics.sums.of-groups', 'metrics.*', true],
  ['metrics.sums.of-groups', 'metrics.{sums,pagination}.*', true],
  ['metrics.roles.any', 'metrics.{sums,pagination}.*', false],
  ['metrics.roles.any', '{metrics.{sums,roles},auth}.*', true],
  ['metrics.roles.any', 'metrics.role?.any', true],
  ['PUT /agents/{}', 'PUT /{agents,vpcs}/{}', true],
  ['PUT /agents/{}', 'PUT /agents/{}', true],
  ['metrics.$&.any', 'metrics.{$&,a}.any', true],
])('the glob of %s may be %s: %s', (name, glob, matches) => {
  expect(matchesGlob(name, glob)).toBe(matches);
});

test('a pattern built for catastrophic backtracking is matched quickly', () => {
  const start = performance.now();
  expect(matchesWildcard('a'.repeat(4096), `${'*a'.repeat(500)}*b`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});

test('by default a question mark is itself', () => {
  expect(matchesWildcard('/v0/agents', '/v0/agent?')).toBe(false);
  expect(matchesWildcard('what?', 'w*?')).toBe(true);
});

test.each([
  ['src/a/b.ts', 'src/a', true],
  ['src/a/b.ts', 'src/*', true],
  ['src/a/b.ts', 'src/?', true],
  ['src/a/b.ts', '*/b.ts', true],
  ['src/ab/c', 'src/a', false],
  ['src', 'src/*', false],
  ['src/x/y', 's*/x', true],
  ['a', '', false],
])('%s or a directory above it against %s is %s', (path, pattern, matches) => {
  expect(matchesDirectory(path, pattern)).toBe(matches);
});

test('stars on both sides of every character do not backtrack', { timeout: 2000 }, () => {
  const path = Array.from({ length: 200 }, () => 'a'.repeat(19)).join('/');
  expect(matchesDirectory(path, `${'*a'.repeat(400)}/b`)).toBe(false);
  expect(matchesWildcard('a'.repeat(4000), `${'*a'.repeat(400)}*b`)).toBe(false);
});
