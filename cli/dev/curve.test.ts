import { expect, test } from 'vitest';
import { curveOf, describeCurve, mergeTables, uselessExamples } from './curve.ts';
import type { RuleCurve } from './curve.ts';
import type { SurveyRow, Verdicts } from './teeth-verdict.ts';

const RULE = 'metrics.cost.always-there';

/** Two properties: one with three examples of two requests each, one with a generated input only. */
const rows: readonly SurveyRow[] = [
  [1, 0, 0, 2],
  [1, 1, 0, 2],
  [1, 2, 0, 2],
  [2, -1, 0, 1],
];
const surveyOf = (verdict: 'passed' | 'failed', failing: readonly number[] = [], reason = ''): Verdicts[string] => ({
  verdict,
  reason,
  milliseconds: 1,
  exchanges: 10,
  surveyed: rows.map(([property, example, , requests], index) => [
    property,
    example,
    failing.includes(index) ? 1 : 0,
    requests,
  ]),
});

const deviations = [
  { deviation: `${RULE}/a`, result: surveyOf('passed', [0, 1]) },
  { deviation: `${RULE}/b`, result: surveyOf('passed', [1]) },
  // What is checked after an example may fail as well.
  { deviation: `${RULE}/c`, result: surveyOf('failed', [2], 'wrong') },
  { deviation: `${RULE}/fixed`, result: surveyOf('failed', [], 'wrong') },
  { deviation: `${RULE}/generated`, result: surveyOf('passed', [3]) },
  { deviation: `${RULE}/unnoticed`, result: surveyOf('passed') },
];

test('examples are picked by how many remaining deviations they detect', () => {
  const [curve] = curveOf({ [RULE]: surveyOf('passed') }, deviations);
  expect(curve).toMatchObject({
    rule: RULE,
    picks: [
      { property: 1, example: 1, kills: [`${RULE}/a`, `${RULE}/b`] },
      { property: 1, example: 2, kills: [`${RULE}/c`] },
    ],
    fixedKills: [`${RULE}/fixed`],
    generatedKills: [`${RULE}/generated`],
    survivors: [`${RULE}/unnoticed`],
    properties: [
      { property: 1, examples: 3, killing: [0, 1, 2], requests: 6 },
      { property: 2, examples: 0, killing: [], requests: 1 },
    ],
  });
});

test('a read that an example of another rule has sent costs nothing', () => {
  const other = 'metrics.usage.counts-are-whole';
  const withReads = (reads: readonly (readonly number[])[], failing: readonly number[] = []): Verdicts[string] => ({
    ...surveyOf('passed'),
    surveyed: reads.map((each, index) => [1, index, failing.includes(index) ? 1 : 0, 0, each]),
  });
  const baseline = { [RULE]: withReads([[7, 8]]), [other]: withReads([[9], [7, 8]]) };
  const found = curveOf(baseline, [
    { deviation: `${RULE}/a`, result: withReads([[7, 8]], [0]) },
    { deviation: `${RULE}/b`, result: withReads([[7, 8]], [0]) },
    { deviation: `${RULE}/c`, result: withReads([[7, 8]], [0]) },
    { deviation: `${other}/d`, result: withReads([[9], [7, 8]], [0, 1]) },
  ]);
  expect(found.map(({ picks }) => picks)).toMatchObject([
    [{ property: 1, example: 0, requests: 2 }],
    [{ property: 1, example: 1, requests: 0.1 }],
  ]);
});

test('a read that is sent outside of properties costs nothing', () => {
  const withReads = (failing: readonly number[]): Verdicts[string] => ({
    ...surveyOf('passed'),
    surveyed: [[7, 8], [9]].map((each, index) => [1, index, failing.includes(index) ? 1 : 0, 0, each]),
  });
  const found = curveOf({ [RULE]: { ...withReads([]), fixedReads: [7, 8] } }, [
    { deviation: `${RULE}/a`, result: withReads([0, 1]) },
  ]);
  expect(found).toMatchObject([{ picks: [{ example: 0, requests: 0.1 }] }]);
});

test('a survey of some rules replaces what is known of them, and of no others', () => {
  const curves = curveOf({ [RULE]: surveyOf('passed') }, deviations);
  const known = {
    'versions.listed.accepted-everywhere': { 1: [[0], [], 1] as const },
    [RULE]: { 1: [[2], [], 3] as const },
  };
  expect(mergeTables(known, curves)).toEqual({
    [RULE]: { 1: [[1, 2], [], 3], 2: [[], [], 0] },
    'versions.listed.accepted-everywhere': { 1: [[0], [], 1] },
  });
});

test('the description names what only generated inputs detect, and what nothing detects', () => {
  const text = describeCurve(curveOf({ [RULE]: surveyOf('passed') }, deviations));
  expect(text).toContain(`Only generated inputs detect 1: ${RULE}/generated.`);
  expect(text).toContain(`Nothing detects 1: ${RULE}/unnoticed.`);
});

const curveWith = (properties: RuleCurve['properties'], picks: RuleCurve['picks'] = []): RuleCurve => ({
  rule: RULE,
  fixedRequests: 0,
  requests: 0,
  fixedKills: [],
  picks,
  generatedKills: [],
  survivors: [],
  properties,
});

test('examples that detect nothing are listed by index, those with most requests first', () => {
  const effective = { property: 2, example: 3, kills: [`${RULE}/late`], requests: 1 };
  const curve = curveWith(
    [
      { property: 1, examples: 3, killing: [1], requests: 6 },
      { property: 2, examples: 4, killing: [], requests: 40 },
      { property: 3, examples: 2, killing: [0, 1], requests: 90 },
      { property: 4, examples: 0, killing: [], requests: 90 },
    ],
    [effective],
  );
  expect(uselessExamples([curve])).toEqual([
    { rule: RULE, property: 2, examples: 4, useless: [0, 1, 2], requests: 30 },
    { rule: RULE, property: 1, examples: 3, useless: [0, 2], requests: 4 },
  ]);
});

test('the description is short: it ends with the number of all examples that detect nothing', () => {
  const properties = Array.from({ length: 50 }, (_, at) => ({
    property: at + 1,
    examples: 20,
    killing: [],
    requests: 20,
  }));
  const text = describeCurve([curveWith(properties)]);
  expect(text).toContain(`      20  ${RULE}, property 40: 20 of 20 examples (0 1 2 3 4 5 6 7 8 9 10 11 …)`);
  expect(text).not.toContain('property 41');
  expect(text).toContain('and 10 more properties: --out FILE writes all');
  expect(text).toContain('1000 examples of 50 properties in all');
});
