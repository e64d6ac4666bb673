/** Checks that every documented field of a response is judged: by a rule, or with a reason why not. */
import { expect, test } from 'vitest';
import { defectKinds, defects } from './defects.ts';
import { detectedDefects } from './detected-defects.ts';
import { invisibleDefects } from './invisible-defects.ts';
import { responseFields } from './response-fields.ts';
import { undetectedDefects } from './undetected-defects.ts';

const cells = responseFields.flatMap(({ operation, field, type }) =>
  defectKinds
    .filter((kind) => defects[kind].types.includes(type as never))
    .map((kind) => ({ key: `${operation} ${field}`, kind, name: `${operation} ${field} ${kind}` })),
);

const rulesOf = (key: string, kind: string): string[] =>
  Object.entries(detectedDefects[key] ?? {}).flatMap(([rule, kinds]) =>
    kinds.some((each) => each === kind) ? [rule] : [],
  );
const isInvisible = (key: string, kind: string): boolean =>
  invisibleDefects[key]?.some((each) => each === kind) ?? false;
const silenceOf = (name: string) => undetectedDefects.find((silence) => silence.cells.test(name));

test('every defect of every documented field is detected by one rule, invisible, or excused', () => {
  expect(cells.length).toBeGreaterThan(1000);
  const unjudged = cells.filter(
    ({ key, kind, name }) =>
      rulesOf(key, kind).length === 0 && !isInvisible(key, kind) && silenceOf(name) === undefined,
  );
  expect(unjudged.map(({ name }) => name)).toEqual([]);
  const twice = cells.filter(({ key, kind }) => rulesOf(key, kind).length + Number(isInvisible(key, kind)) > 1);
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
  const excused = cells.filter(({ key, kind }) => rulesOf(key, kind).length === 0 && !isInvisible(key, kind));
  const used = new Set(excused.map(({ name }) => silenceOf(name)));
  expect(undetectedDefects.filter((silence) => !used.has(silence)).map(({ why }) => why)).toEqual([]);
});
