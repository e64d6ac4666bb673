import { expect, test } from 'vitest';
import type { Counterexample } from '../../../spec/verdicts.ts';
import { annotateLines } from './annotate-lines.ts';
import { jsonLines } from './json-lines.ts';

const texts = (expected: string, actual: string): Counterexample => ({
  input: {},
  seed: 1,
  path: '',
  curl: '',
  expected,
  actual,
});

const marked = (body: unknown, counterexample?: Counterexample, findings: { at: string; says: string }[] = []) =>
  annotateLines(jsonLines(body), findings, counterexample)
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => text);

const body = {
  resolution: 'hourly',
  status: 'DEPLOYED',
  total: 5,
  data: [{ cost: 10, 'a/b': 1 }, { cost: 20 }],
  spec: { runtime: { memory: 4096 } },
};

test.each([
  ['a named field with an unexpected value', 'resolution daily', 'resolution hourly', ['"resolution": "hourly",']],
  ['an unexpected value without a name', 'daily', 'hourly', ['"resolution": "hourly",']],
  ['a field named only by the expectation', 'resolution daily', 'hourly', ['"resolution": "hourly",']],
  ['a named field with a short value', 'total: 6', 'total: 5', ['"total": 5,']],
  ['a field of an entry, not of others', 'data[1].cost: 21', 'data[1].cost: 20', ['"cost": 20']],
  ['a dotted path', 'spec.runtime.memory 2048', 'another', ['"memory": 4096']],
  ['a JSON pointer', 'what /spec/runtime/memory had', 'another', ['"memory": 4096']],
  ['an HTTP status', 'status 400', 'status 200', []],
  ['a word of a sentence', 'an error with status and data', 'nothing', []],
  ['an absent field', 'error: a string', 'error: absent', ['"error" is absent']],
  ['an absent field, named by the expectation', 'message: a string', 'absent', ['"message" is absent']],
  ['an absent field of a nested object', 'spec.runtime.image: "x"', 'absent', ['"image" is absent']],
  ['an absent field of an entry', 'data[0].usage: 0', 'data[0].usage: absent', ['"usage" is absent']],
  ['an absent object', 'spec.network.vpc: "x"', 'absent', ['"network.vpc" is absent']],
])('%s is marked', (_, expected, actual, lines) => {
  expect(marked(body, texts(expected, actual))).toEqual(lines);
});

test('a schema finding is marked with and without a counterexample', () => {
  const findings = [{ at: '/data/0/a~1b', says: 'must be a string' }];
  expect(marked(body, undefined, findings)).toEqual(['"a/b": 1']);
  expect(marked(body, texts('resolution daily', 'hourly'), findings)).toEqual(['"resolution": "hourly",', '"a/b": 1']);
});

test('the note of an absent field is inside its object', () => {
  const lines = annotateLines(jsonLines(body), [], texts('spec.runtime.image: "x"', 'absent'));
  const at = lines.findIndex(({ isMarked }) => isMarked);
  expect(lines.slice(at - 1, at + 1).map(({ depth, text }) => [depth, text])).toEqual([
    [2, '"runtime": {'],
    [3, '"image" is absent'],
  ]);
});

test('many fields of the same name are not marked', () => {
  const many = { data: Array.from({ length: 9 }, (_, cost) => ({ cost })) };
  expect(marked(many, texts('cost: 100', 'cost: another'))).toEqual([]);
});

test('a body that is not an object gets no notes', () => {
  expect(marked([], texts('error: a string', 'error: absent'))).toEqual([]);
  expect(marked('text', texts('error: a string', 'error: absent'))).toEqual([]);
});
