import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adviceFor } from '../spec/requirements/need-advice.ts';
import { needs } from '../spec/requirements/requirement.ts';
import { requirement } from '../spec/requirements/index.ts';
import type { RuleResult } from '../spec/verdicts.ts';
import { adviceOrReason, unmetNeeds } from './unmet-needs.ts';

const MUST = 'metrics.group-by.at-most-three';
const { level, rule } = requirement(MUST);
const untried: RuleResult = { id: MUST, level, rule, verdict: 'not-tried', durationMs: 0, exchanges: 0 };

test('every need has advice that names only keys of the target file and flags', () => {
  const schema = readFileSync(new URL('../spec/formats/generated/target.json', import.meta.url), 'utf8');
  for (const need of [...Object.keys(needs), 'time', 'inputs']) {
    const advice = adviceFor(need) ?? '';
    expect(advice).toMatch(/target file|--/);
    for (const [, key] of advice.matchAll(/(?:credentials|resources|addresses)\.(\w+)/g))
      expect(schema).toContain(`"${key}"`);
  }
});

test('a scope has advice of its own, an unknown need none', () => {
  expect(adviceFor('scope:agents:get')).toContain('credentials.scoped["agents:get"]');
  expect(adviceFor('constructor')).toBeUndefined();
});

test('without known advice, the reason is what is to be provided', () => {
  const results = [
    { ...untried, reason: 'a second page' },
    { ...untried, reason: 'destroy' },
    { ...untried, reason: 'later: something', missing: 'later' },
    { ...untried, reason: 'time is over', missing: 'time' },
    { ...untried, reason: 'time is up', missing: 'time' },
    { ...untried, reason: 'skipped by --only or --skip' },
    { ...untried, verdict: 'passed' } as const,
  ];
  expect(unmetNeeds({ requirements: results })).toEqual([
    { advice: 'allow more time: a longer --time, or none', ruleCount: 2 },
    { advice: 'provide a second page', ruleCount: 1 },
    { advice: expect.stringMatching(/^pass --allow destroy/) as string, ruleCount: 1 },
    { advice: 'provide later: something', ruleCount: 1 },
  ]);
});

test.each([
  [
    { reason: 'write: --allow write', missing: 'write' },
    'pass --allow write, so that the run may create and change resources',
  ],
  [{ reason: 'a second page' }, 'provide a second page'],
  [{ reason: 'skipped by --only or --skip' }, 'skipped by --only or --skip'],
])('the page says of %j: %s', (over, text) => {
  expect(adviceOrReason({ ...untried, ...over })).toBe(text);
});
