import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { OpenApiDocument } from '../../spec/openapi-document.ts';
import { documentOf } from '../../spec/documents.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import type { LintedDocument } from './finding.ts';
import { lintDocument } from './lint-document.ts';
import { readDocument, UnreadableSource } from './read-source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lints the first of these files. */
async function lint(files: Record<string, string>): Promise<LintedDocument> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return lintDocument(await readDocument(path.join(folder, Object.keys(files)[0] ?? '')));
}

const lines = ({ findings }: LintedDocument) =>
  findings.map(({ source, start, rule }) => `${path.relative(folder, source)}:${start.line}:${start.column} ${rule}`);

test.each(surfaces)('our own %s document is clean, in YAML as in JSON', async (surface) => {
  const { findings, coverage, operations } = await lint({ [`${surface}.yaml`]: stringify(documentOf(surface)) });
  expect({ findings, coverage }).toEqual({ findings: [], coverage: [] });
  expect(operations[surface]?.covered).toBe(operations[surface]?.shown);
});

test('a YAML syntax error is reported with its line, and nothing else is', async () => {
  const linted = await lint({ 'broken.yaml': 'openapi: 3.1.0\npaths:\n  /a: {\n    get: ]\n' });
  expect(lines(linted)[0]).toMatch(/^broken\.yaml:\d+:\d+ parser$/);
  expect(new Set(linted.findings.map(({ rule }) => rule))).toEqual(new Set(['parser']));
});

test('a bracket that is never closed is one error', async () => {
  const { findings } = await lint({ 'open.yaml': `${HEAD}x-a: [1\n` });
  expect(findings.map(({ rule }) => rule)).toEqual(['parser']);
});

test('a duplicate key before a syntax error is reported as well', async () => {
  const { findings } = await lint({ 'twice.json': '{\n  "x-a": 1,\n  "x-a": 2,\n}\n' });
  expect(findings.map(({ message, start }) => [start.line, message.slice(0, 13)])).toEqual([
    [3, 'Duplicate key'],
    [4, 'A key in doub'],
  ]);
});

test('a JSON syntax error is reported with its line', async () => {
  const linted = await lint({ 'broken.json': '{\n  "openapi": "3.1.0",\n  "paths": ,\n}\n' });
  expect(lines(linted)).toContain('broken.json:3:12 parser');
});

test.each([
  ['a line comment', '{\n  "openapi": "3.1.0", // A.\n  "paths": {}\n}\n', '2:23 JSON has no comments.'],
  ['a block comment', '{\n  "openapi": "3.1.0",\n  "paths": /* A. */ {}\n}\n', '3:12 JSON has no comments.'],
  ['a comment at the top', '// A.\n{ "openapi": "3.1.0", "paths": {} }\n', '1:1 JSON has no comments.'],
  [
    'a comma at the end',
    '{\n  "openapi": "3.1.0",\n  "paths": {},\n}\n',
    '4:1 A key in double quotes is expected; JSON allows no comma before }.',
  ],
  ['a comment in 1 MB', `{\n  "x-a": "${'a'.repeat(1_000_000)}" // A.\n}\n`, '2:1000013 JSON has no comments.'],
])('%s in a JSON file is an error, and no rule is applied', async (_what, text, first) => {
  const { findings, isLinted } = await lint({ 'extended.json': text });
  const found = findings.map(({ rule, severity, start, message }) => ({
    rule,
    severity,
    at: `${start.line}:${start.column} ${message}`,
  }));
  expect({ isLinted, first: found[0] }).toEqual({
    isLinted: false,
    first: { rule: 'parser', severity: 'error', at: first },
  });
});

test.each([
  ['single quotes', "{ 'openapi': '3.1.0' }", 3, 'Strings and keys need double quotes'],
  [
    'an incomplete escape',
    String.raw`{ "x-a": "\u12" }`,
    10,
    String.raw`Four hexadecimal digits are expected after \u.`,
  ],
  ['an unknown escape', String.raw`{ "x-a": "\q" }`, 10, 'JSON has only the escapes'],
  ['a missing comma', '{ "x-a": 1 "x-b": 2 }', 12, 'A comma, or the end of the object or array, is expected.'],
  ['a missing colon', '{ "x-a" 1 }', 9, 'A colon is expected after a key.'],
  ['a missing brace', '{ "x-a": 1', 11, 'A } is missing.'],
  ['a missing quote', '{ "x-a": "b }', 10, 'A double quote is missing at the end of this string'],
  ['a leading zero', '{ "x-a": 01 }', 11, 'A comma, or the end of the object or array, is expected.'],
  ['a word after the end', '{ "x-a": 1 } x', 14, 'Strings and keys need double quotes'],
  ['a comment before another mistake', '/* A. */ { "x-a": 1, }', 1, 'JSON has no comments.'],
  ['a comment of another language', '# A.\n{ "x-a": 1 }', 1, 'Strings and keys need double quotes'],
])('%s in JSON is one error that says what is wrong', async (_what, text, column, message) => {
  const { findings } = await lint({ 'mistake.json': text });
  expect(findings).toMatchObject([{ rule: 'parser', severity: 'error', start: { line: 1, column } }]);
  expect(findings[0]?.message).toContain(message);
});

test('a comment is an error also in a JSON file that the document refers to', async () => {
  const linted = await lint({
    'to-comment.yaml': `${HEAD}paths: {}\ncomponents: { schemas: { A: { $ref: 'part-comment.json#/A' } } }\n`,
    'part-comment.json': '{\n  "A": { "type": "string", "description": "A." } // A.\n}\n',
  });
  expect(lines(linted)).toEqual(['part-comment.json:2:50 parser']);
});

test.each([
  ['in single quotes', "x-a: '\\u12'"],
  ['without quotes', 'x-a: \\u12'],
  ['in a text', 'x-a: |+\n  "\\u12"\n'],
])('an escape that lacks digits does no harm %s', async (_what, text) => {
  expect(lines(await lint({ 'no-escape.yaml': HEAD + BAD_SCHEMA + text }))).toEqual([
    'no-escape.yaml:6:28 schema-description',
  ]);
});

test('an escape that lacks digits is one error in a file that the document refers to', async () => {
  const linted = await lint({
    'to-escape.yaml': `${HEAD}paths: {}\ncomponents: { schemas: { A: { $ref: 'part-escape.yaml#/A' } } }\n`,
    'part-escape.yaml': 'A:\n  type: string\n  description: "\\u12"',
  });
  expect(lines(linted)).toEqual(['part-escape.yaml:3:17 parser']);
});

test('an unquoted response code is a finding, and the others are found too', async () => {
  const linted = await lint({
    'codes.yaml':
      "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:\n  /v0/a:\n    get:\n      responses:\n        200: { $ref: 'b.yaml' }\n",
    'b.yaml': 'description: B.\ncontent: { 7: {} }\n',
  });
  const keys = linted.findings.filter(({ rule }) => rule === 'string-keys');
  expect(keys.map(({ message, severity }) => `${severity}: ${message}`).toSorted()).toEqual([
    "warning: Quote the key: '200'. The keys of OpenAPI documents are strings.",
    "warning: Quote the key: '7'. The keys of OpenAPI documents are strings.",
  ]);
  expect(lines(linted)).toContain('codes.yaml:5:9 operation-summary');
});

test('a duplicate key is reported', async () => {
  const linted = await lint({ 'twice.yaml': 'openapi: 3.1.0\npaths: {}\npaths: {}\n' });
  expect(linted.findings.map(({ message }) => message)).toEqual(['Duplicate key: paths']);
});

const HEAD = "openapi: 3.1.0\ninfo:\n  title: A\n  version: '1'\n";
/** Violates schema-description. */
const BAD_SCHEMA = 'paths: {}\ncomponents: { schemas: { A: { type: string } } }\n';

test.each<[string, string, number]>([
  ['a tab that indents', `${HEAD}\tdescription: A.\n${BAD_SCHEMA}`, 5],
  ['a tab after spaces that indents', `${HEAD}  \tdescription: A.\n${BAD_SCHEMA}`, 5],
  ['a tab before a map in a list', `${HEAD}tags:\n  -\tname: a\n${BAD_SCHEMA}`, 6],
  ['a tab in braces', `${HEAD}x-a: {\n\ta: 1,\n\tb: 1 }\n${BAD_SCHEMA}`, 7],
  ['a quote that is not closed', `${HEAD}  description: "A.\n${BAD_SCHEMA}`, 8],
  ['a duplicate key', `${HEAD}  title: B\n${BAD_SCHEMA}`, 5],
  ['an alias without an anchor', `${HEAD}x-a: *gone\n${BAD_SCHEMA}`, 5],
  ['several documents', `${HEAD}${BAD_SCHEMA}---\n${HEAD}`, 1],
  ['a list as a key', `${HEAD}? [a]\n: 1\n${BAD_SCHEMA}`, 5],
  ['a key __proto__', `${HEAD}x-a:\n  __proto__: { a: 1 }\n${BAD_SCHEMA}`, 6],
  ['an escaped key __proto__', `${HEAD}x-a:\n  "__pr\\u006fto__": { a: 1 }\n${BAD_SCHEMA}`, 6],
  ['a list without an item', `${HEAD}x-a: [a,,b]\n${BAD_SCHEMA}`, 5],
  // Spectral's parser would not end.
  ['an escape that lacks digits', `${HEAD}paths: {}\nx-a: "\\u12"`, 6],
  ['an escape that lacks digits in 1 MB', `${HEAD}x-a: ${'a'.repeat(1_000_000)}\nx-b: "\\u12"`, 6],
  ['an escape that lacks digits lines before the end', `${HEAD}x-a: "\\U00"\nx-b: 1\nx-c: 1\n`, 5],
  ['an escape that lacks digits in braces', '{ openapi: 3.1.0,\n  x-a: "\\u"', 2],
  ['a key __proto__ in JSON', '{"openapi": "3.1.0",\n "__proto__": {},\n "paths": {}}', 2],
])('%s is an error, and no rule is applied', async (_what, text, line) => {
  const linted = await lint({ 'unread.yaml': text });
  const found = linted.findings.map(({ rule, severity, start }) => `${start.line} ${severity} ${rule}`);
  expect({ isLinted: linted.isLinted, first: found[0] }).toEqual({ isLinted: false, first: `${line} error parser` });
  expect(new Set(linted.findings.map(({ rule, severity }) => `${severity} ${rule}`))).toEqual(
    new Set(['error parser']),
  );
});

test.each([
  ['before a value', `${HEAD}  description:\tA.\n${BAD_SCHEMA}`],
  ['at the end of a line', `${HEAD}  description: A.\t\n${BAD_SCHEMA}`],
  ['in an empty line', `${HEAD}\t\n  \t\n${BAD_SCHEMA}`],
  ['before a comment', `${HEAD}\t# A.\n${BAD_SCHEMA}`],
  ['before an item', `${HEAD}x-a:\n  -\ta\n${BAD_SCHEMA}`],
  ['in a text', `${HEAD}  description: |\n    A\n    \tB\n${BAD_SCHEMA}`],
])('a tab %s does no harm', async (_what, text) => {
  const { findings, isLinted } = await lint({ 'tabs.yaml': text });
  expect({ isLinted, rules: findings.map(({ rule }) => rule) }).toEqual({
    isLinted: true,
    rules: ['schema-description'],
  });
});

test.each([
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
  ['a merge key', (text: string) => `${text}x-a: &a { b: 1 }\nx-b: { <<: *a }\n`],
])('a document with %s is linted', async (_what, change) => {
  expect(lines(await lint({ 'read.yaml': change(HEAD + BAD_SCHEMA) }))).toEqual(['read.yaml:6:28 schema-description']);
});

test('a tab that indents is an error also in a file that the document refers to', async () => {
  const linted = await lint({
    'to-tabs.yaml': `${HEAD}paths: {}\ncomponents: { schemas: { A: { $ref: 'part-tabs.yaml#/A' } } }\n`,
    'part-tabs.yaml': 'A:\n  type: string\t\n\tdescription: A.\n',
  });
  const errors = linted.findings.filter(({ rule }) => rule === 'parser');
  expect(errors.map(({ severity }) => severity)).toEqual(['error']);
  expect(lines({ ...linted, findings: errors })).toEqual(['part-tabs.yaml:3:1 parser']);
});

test.each([
  ['nothing', 'empty.yaml', ''],
  ['a text', 'text.yaml', 'hello'],
  ['another document', 'swagger.json', '{"swagger": "2.0", "paths": {}}'],
])('%s is no OpenAPI document', async (_what, name, text) => {
  expect((await lint({ [name]: text })).findings.map(({ rule }) => rule)).toEqual(['openapi-version']);
});

test('findings are in the order of their lines', async () => {
  const { findings } = await lint({
    'order.yaml': `openapi: 3.1.0
info: { title: A, version: 1 }
paths: { users: { get: 5 } }
components:
  schemas:
    A: { type: string, nullable: true }
    B: { description: B., $ref: '#/components/schemas/Gone' }
    C: { type: string, nullable: true }
`,
  });
  const positions = findings.map(({ start, rule }) => `${start.line} ${rule}`);
  expect(new Set(positions)).toContain('7 invalid-ref');
  expect(positions.length).toBeGreaterThan(5);
  expect(findings.map(({ start }) => start.line)).toEqual(
    findings.map(({ start }) => start.line).toSorted((one, other) => one - other),
  );
});

test('a finding in another file is reported with its position there', async () => {
  const linted = await lint({
    'api.yaml': `openapi: 3.1.0
paths:
  /vpcs: { $ref: 'parts/paths.yaml#/vpcs' }
components: { schemas: { Vpc: { $ref: 'parts/schemas.yaml#/Vpc' } } }
`,
    'parts/paths.yaml': `vpcs:
  get:
    operationId: vpcsList
    tags: []
`,
    'parts/schemas.yaml': `Vpc:
  description: A VPC.
  required: [metadata, spec]
  properties:
    metadata: { $ref: 'more/metadata.json#/Metadata' }
    spec: { type: object, x-not-shown: true }
`,
    'parts/more/metadata.json': `{
  "Metadata": {
    "required": ["name"],
    "properties": { "name": {
      "type": "string", "maxLength": 63, "pattern": "^[a-z0-9-]+$",
      "description": "Unique and immutable."
    } }
  }
}
`,
  });
  expect(lines(linted)).toEqual(
    expect.arrayContaining(['parts/paths.yaml:3:18 operation-id', 'parts/more/metadata.json:4:29 name-length']),
  );
});

test('unresolved and circular references are reported with their position', async () => {
  const linted = await lint({
    'nowhere.yaml': `openapi: 3.1.0
paths: {}
components:
  schemas:
    A: { description: A., $ref: '#/components/schemas/Gone' }
    B: { description: B., $ref: 'parts/gone.yaml' }
    C: { description: C., $ref: '#/components/schemas/D' }
    D: { description: D., $ref: '#/components/schemas/C' }
    E: { description: E., $ref: 'parts/broken-part.yaml#/E' }
`,
    'parts/broken-part.yaml': "E: { properties: { e: { $ref: '#/Gone' } } }\n",
  });
  const broken = linted.findings.filter(({ rule }) => rule === 'invalid-ref');
  expect(lines({ ...linted, findings: broken })).toEqual([
    'nowhere.yaml:5:33 invalid-ref',
    'nowhere.yaml:6:33 invalid-ref',
    'nowhere.yaml:7:33 invalid-ref',
    'nowhere.yaml:8:33 invalid-ref',
    'parts/broken-part.yaml:1:31 invalid-ref',
  ]);
  expect(broken.map(({ message }) => /followed\. (.*)$/.exec(message)?.[1])).toEqual([
    'Nothing is there.',
    'It does not exist.',
    'It is circular: it leads back to itself.',
    'It is circular: it leads back to itself.',
    'Nothing is there.',
  ]);
});

test('references that lead through each other in a circle are reported', async () => {
  const linted = await lint({
    'through.yaml': `openapi: 3.1.0
paths: {}
components:
  schemas:
    A: { description: A., $ref: '#/components/schemas/B/properties' }
    B: { description: B., $ref: '#/components/schemas/A/properties' }
    C: { description: C., $ref: '#/components/schemas/C/properties/c' }
`,
  });
  const broken = linted.findings.filter(({ rule }) => rule === 'invalid-ref');
  expect(broken.map(({ pointer }) => pointer)).toEqual(
    ['A', 'B', 'C'].map((name) => `/components/schemas/${name}/$ref`),
  );
});

test.each([
  ['/dev/zero', 'It is a device; expected a file.'],
  ['.', 'It is a folder; expected a file.'],
  ['bomb.txt', 'if its aliases are expanded'],
  ['utf16.yaml', 'It is encoded in UTF-16; expected UTF-8.'],
])('a reference to %s is reported without reading it whole', async (reference, message) => {
  writeFileSync(path.join(folder, 'utf16.yaml'), Buffer.from('A: 1', 'utf16le'));
  const levels = Array.from({ length: 9 }, (_, level) => `é${level}: &é${level} [${`*é${level - 1} , `.repeat(10)}]`);
  writeFileSync(path.join(folder, 'bomb.txt'), `{é: &é-1 x, ${levels.join(', ')}}`);
  const { findings } = await lint({
    'root.yaml': `openapi: 3.1.0\ninfo: {}\npaths: {}\ncomponents: { schemas: { A: { $ref: '${reference}#/A' } } }\n`,
  });
  expect(findings.map(({ rule, message: text }) => `${rule}: ${text}`)).toEqual([
    expect.stringMatching(/^invalid-ref: The reference/),
  ]);
  expect(findings[0]?.message).toContain(message);
});

test('a reference in an example is ignored', async () => {
  const linted = await lint({
    'example.yaml': `openapi: 3.1.0
info: {}
paths: {}
components:
  schemas:
    A: { type: string, description: A., example: { $ref: gone.yaml }, default: { $ref: gone.yaml } }
    B: { type: object, description: B., properties: { example: { $ref: '#/components/schemas/A' }, $ref: { type: string } } }
  examples:
    One: { value: { $ref: gone.yaml } }
`,
  });
  expect(linted.findings).toEqual([]);
});

test('schemas that refer to each other in a circle are linted', async () => {
  const linted = await lint({
    'circle.yaml': `openapi: 3.1.0
info: {}
paths: {}
components:
  schemas:
    A: { type: object, description: A., properties: { b: { $ref: '#/components/schemas/B' } } }
    B: { type: object, description: B., properties: { a: { $ref: '#/components/schemas/A' }, c: { type: string, nullable: true } } }
`,
  });
  expect(lines(linted)).toEqual(['circle.yaml:7:96 no-nullable']);
});

test('a document of 5 MB is linted whole', async () => {
  const document = structuredClone(documentOf('management'));
  for (let copy = 0; JSON.stringify(document).length < 5_000_000; copy += 1) addCopy(document, copy);
  const last = Object.values(document.paths).at(-1)?.get;
  if (last !== undefined) last.summary = '';
  const { findings, coverage } = await lint({ 'big.json': JSON.stringify(document, null, 1) });
  const rules = Map.groupBy(findings, ({ rule }) => rule);
  expect([...rules].map(([rule, { length }]) => [rule, length])).toEqual([['operation-summary', 1]]);
  expect(coverage).toEqual([]);
});

/** Every path, and every schema with its references, once more under another name. */
function addCopy({ paths, components: { schemas } }: OpenApiDocument, copy: number): void {
  const own = documentOf('management');
  const text = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(/"#\/components\/schemas\/(\w+)"/g, `"#/components/schemas/$1${copy}"`)
      .replaceAll(/"operationId":"(\w+)"/g, `"operationId":"$1${copy}"`);
  // Workspaces and accounts are known by their address.
  const copied = Object.entries(own.paths).filter(([path_]) => !/^\/(workspaces|accounts)/.test(path_));
  for (const [path_, item] of copied)
    paths[`/copy${copy}${path_}`] = JSON.parse(text(item)) as (typeof own.paths)[string];
  for (const [name, schema] of Object.entries(own.components.schemas)) {
    schemas[`${name}${copy}`] = JSON.parse(text(schema)) as (typeof schemas)[string];
  }
}

test('a document that is nested too deeply is refused', async () => {
  const deep = `{"openapi": "3.1.0", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  await expect(lint({ 'deep.json': deep })).rejects.toThrow(UnreadableSource);
});

test('aliases that expand to billions of values are rejected', async () => {
  const names = [...'abcdefghi'];
  const bomb = names.slice(1).map((name, index) => `${name}: &${name} [${`*${names[index]},`.repeat(10)}]`);
  const text = ['openapi: 3.1.0', 'a: &a [x]', ...bomb].join('\n');
  await expect(lint({ 'bomb.yaml': text })).rejects.toThrow('aliases');
});

test('bytes that are not UTF-8 are rejected', async () => {
  writeFileSync(path.join(folder, 'latin.yaml'), Buffer.from([0x61, 0xff]));
  await expect(readDocument(path.join(folder, 'latin.yaml'))).rejects.toThrow('UTF-8');
});

test('a document of Swagger 2.0 has one finding, which says so', async () => {
  const responses = Array.from(
    { length: 20 },
    (_, index) => `  /a${index}: { get: { responses: { 200: { $ref: '#/b' } } } }`,
  );
  const { findings } = await lint({ 'swagger.yaml': `swagger: '2.0'\npaths:\n${responses.join('\n')}\n` });
  expect(findings.map(({ rule }) => rule)).toEqual(['openapi-version']);
});

test('what looks like a reference within an extension is none', async () => {
  const { findings } = await lint({ 'extension.yaml': `${HEAD}paths: {}\nx-policies: [{ $ref: '#/nowhere' }]\n` });
  expect(findings.map(({ rule }) => rule)).toEqual([]);
});
