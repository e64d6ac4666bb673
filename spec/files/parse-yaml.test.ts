import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';
import { inspectYaml, InvalidYaml, parseYaml, parseYamlOrJson, requireFewAliases } from './parse-yaml.ts';
import { MAX_DEPTH, MAX_VALUES, TooComplex } from './too-complex.ts';

/** Eight lines that stand for 10^9 values. */
const bomb = (nameOf: (level: number) => string): string[] => [
  `k0: &${nameOf(0)} [x]`,
  ...Array.from(
    { length: 8 },
    (_, level) => `k${level + 1}: &${nameOf(level + 1)} [${`*${nameOf(level)} , `.repeat(10)}]`,
  ),
];

const bombs: [string, string][] = [
  ['in block style', bomb((level) => `n${level}`).join('\n')],
  ['in flow style', `{${bomb((level) => `n${level}`).join(', ')}}`],
  ['in flow style after a comment', `# a\n{${bomb((level) => `n${level}`).join(', ')}}`],
  ...['.', 'é', '!', '/', '@', '😀', '"', '+', '*'].map((sign): [string, string] => [
    `with anchors that begin with ${sign}`,
    bomb((level) => `${sign}${level}`).join('\n'),
  ]),
];

test.each(bombs)('an alias bomb %s is rejected', (_, text) => {
  expect(() => parseYaml(text)).toThrow(TooComplex);
  expect(() => requireFewAliases(text)).toThrow(TooComplex);
});

test.each(['a: &a [*a]', 'a: &a {b: [*a]}', 'a: &a {*a : 1}'])('%s contains itself and is rejected', (text) => {
  expect(() => parseYaml(text)).toThrow('alias');
});

test('aliases within the limits have the values of their anchors', () => {
  expect(parseYaml('a: &a {b: 1}\nc: [*a, *a]')).toEqual({ a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] });
});

test('an alias of a long list counts as often as it is used', () => {
  const list = `[${'1,'.repeat(1000)}]`;
  const used = (times: number) => `a: &a ${list}\nb: [${'*a, '.repeat(times)}]`;
  expect(() => parseYaml(used(900))).not.toThrow();
  expect(() => parseYaml(used(1100))).toThrow(`more than ${MAX_VALUES} values`);
});

test.each([
  ['flow sequences', (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`],
  ['block sequences', (levels: number) => `${'- '.repeat(levels)}a`],
  [
    'block mappings',
    (levels: number) => Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  ],
])('%s that are nested too deeply are rejected', (_, text) => {
  expect(() => parseYaml(text(MAX_DEPTH))).not.toThrow();
  expect(() => parseYaml(text(MAX_DEPTH + 1))).toThrow('nested too deeply');
});

test.each(['['.repeat(100_000), `${'- '.repeat(100_000)}a`, '? '.repeat(100_000), '{a: '.repeat(100_000)])(
  'a nesting that exceeds the stack is rejected',
  (text) => {
    expect(() => parseYaml(text)).toThrow('nested too deeply');
  },
);

test('aliases within aliases count as levels', () => {
  const chain = Array.from({ length: MAX_DEPTH + 1 }, (_, level) => `k${level}: &n${level} [*n${level - 1} ]`);
  expect(() => parseYaml(['z: &n-1 x', ...chain].join('\n'))).toThrow('nested too deeply');
});

test('a million mistakes are reported as the first one', () => {
  expect(() => parseYaml('}'.repeat(300_000))).toThrow(InvalidYaml);
});

test('a duplicate key is rejected with its position', () => {
  expect(() => parseYaml('a: 1\nb:\n  c: 1\n  c: 2')).toThrow('Map keys must be unique at line 4, column 3');
});

test('an alias without an anchor is rejected', () => {
  expect(() => parseYaml('a: *b')).toThrow(InvalidYaml);
});

test('a long text must be JSON', () => {
  const long = JSON.stringify(Array.from({ length: 20_000 }, () => 'a'.repeat(40)));
  expect(parseYamlOrJson(long)).toHaveLength(20_000);
  expect(() => parseYamlOrJson(`- a\n${'# comment\n'.repeat(100_000)}`)).toThrow('is larger than 512 KiB and not JSON');
});

test.each([
  ['nested too deeply', '['.repeat(MAX_DEPTH + 1), 'nested too deeply'],
  ['nested too deeply to be parsed', '['.repeat(10_000_000), 'nested too deeply'],
  ['with too many values', `[${'[],'.repeat(MAX_VALUES)}1]`, 'more than 1000000 values'],
])('JSON %s is rejected', (_, text, message) => {
  expect(() => parseJson(text)).toThrow(message);
});

test('brackets and quotes in strings do not count', () => {
  const text = JSON.stringify({ a: '['.repeat(2000), '\\"[': '\\', b: '"' + '{'.repeat(2000) });
  expect(parseJson(text)).toEqual(JSON.parse(text));
  expect(() => parseJson('{"a": "')).toThrow(SyntaxError);
});

test('tabs that indent are found once for each line, and no others', () => {
  const text = 'a: 1\n\tb:\t1\t\nc:\n  \td: 1\r\ne:\t# f\n\t\n';
  expect(
    inspectYaml(text)
      .tabIndents()
      .map(({ line, col }) => `${line}:${col}`),
  ).toEqual(['2:1', '4:3']);
  expect(() => inspectYaml(`\ta: ${'['.repeat(100_000)}`).tabIndents()).toThrow('nested too deeply');
});

test('keys __proto__ are found, in quotes too, and values are not', () => {
  expect(inspectYaml('a: __proto__\n"__proto__": 1\nb: { __proto__: 1 }').protoKeys()).toEqual([
    { line: 2, col: 1 },
    { line: 3, col: 6 },
  ]);
});
