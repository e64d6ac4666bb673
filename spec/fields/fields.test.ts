/** Checks that every documented field of a response is judged: by a rule, or with a reason why not. */
import { expect, test } from 'vitest';
import { cells } from './cells.ts';
import { detectedDefects } from './detected-defects.ts';
import { invisibleDefects } from './invisible-defects.ts';
import { undetectedDefects } from './undetected-defects.ts';

test('every defect of every documented field is detected by one rule, invisible, or excused', () => {
  expect(cells.length).toBeGreaterThan(1000);
  const unjudged = cells.filter(
    ({ rules, isInvisible, silence }) => rules.length === 0 && !isInvisible && silence === undefined,
  );
  expect(unjudged.map(({ name }) => name)).toEqual([]);
  const twice = cells.filter(({ rules, isInvisible }) => rules.length + Number(isInvisible) > 1);
  expect(twice.map(({ name }) => name)).toEqual([]);
});

test('the tables name only documented fields and defects that apply to them', () => {
  const known = new Set(cells.map(({ name }) => name));
  const named = [
    ...Object.entries(detectedDefects).flatMap(([key, rules]) =>
      Object.values(rules).flatMap((kinds) => kinds.map((kind) => `${key} ${kind}`)),
    ),
    ...Object.entries(invisibleDefects).flatMap(([key, kinds]) => kinds.map((kind) => `${key} ${kind}`)),
  ];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every excuse is used', () => {
  const used = new Set(cells.map(({ silence }) => silence));
  expect(undetectedDefects.filter((silence) => !used.has(silence)).map(({ why }) => why)).toEqual([]);
});
