import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../command-line/usage-error.ts';
import { lintDocument } from '../lint-document.ts';
import { readDocument } from '../read-source.ts';
import { loadRuleset } from './load-ruleset.ts';

const root = mkdtempSync(path.join(tmpdir(), 'assay-ruleset-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A new folder for each test, because Node loads a module once. */
let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(root, 'test-'))));

const API = `openapi: 3.1.0
info: { title: A secret, version: '1' }
paths:
  /gadgets: { $ref: 'gadgets.yaml#/gadgets' }
components:
  schemas:
    Gadget: { type: object, description: A., properties: { size: { type: string, nullable: true } } }
    Unused: { type: string, description: A. }
`;
const GADGETS = `gadgets:
  get:
    operationId: gadgetsList
    responses: { '200': { $ref: '#/ok' } }
ok: { description: Fine., content: { application/json: { schema: { $ref: 'api.yaml#/components/schemas/Gadget' } } } }
`;

/** Lints a document with the first of these files. */
async function lint(files: Record<string, string>) {
  for (const [name, text] of Object.entries({ ...files, 'api.yaml': API, 'gadgets.yaml': GADGETS })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const ruleset = await loadRuleset(path.join(folder, Object.keys(files)[0] ?? ''));
  return lintDocument(await readDocument(path.join(folder, 'api.yaml')), ruleset);
}

async function found(files: Record<string, string>): Promise<string[]> {
  const { findings } = await lint(files);
  return findings.map(
    ({ rule, severity, source, start }) => `${path.basename(source)}:${start.line} ${severity} ${rule}`,
  );
}

const OURS = ['api.yaml:7 warning no-nullable', 'gadgets.yaml:3 warning operation-id'];
const ONLY = '{ operation-tags: off, operation-summary: off, body-example: off, openapi-form: off }';
const SECRET = `export default (title, { word }) => (title.includes(word) ? [{ message: 'Contains ' + word + '.' }] : []);`;
const secretRule = (more = ''): string =>
  `{ given: $.info, then: { field: title, function: secret, functionOptions: { word: secret } }${more} }`;

test.each([
  ['a name', "extends: '@svc/assay/ruleset'"],
  ['a list', "extends: ['@svc/assay/ruleset']"],
  ['a pair', "extends: [['@svc/assay/ruleset', all]]"],
])('YAML extends our ruleset as %s, with rules off', async (_what, line) => {
  expect(await found({ 'team.yaml': `${line}\nrules: ${ONLY}\n` })).toEqual(OURS);
});

test('a severity of our rules can be changed, and a rule turned on alone', async () => {
  const changed = "extends: '@svc/assay/ruleset'\nrules: { operation-id: hint, no-nullable: error }\n";
  expect(await found({ 'team.yaml': changed })).toEqual(
    expect.arrayContaining(['api.yaml:7 error no-nullable', 'gadgets.yaml:3 hint operation-id']),
  );
  const alone = "extends: [['@svc/assay/ruleset', off]]\nrules: { no-nullable: true }\n";
  expect(await found({ 'other.yaml': alone })).toEqual(['api.yaml:7 warning no-nullable']);
});

test('a changed rule keeps its requirements and its documentation', async () => {
  const { rules } = await lint({ 'team.yaml': "extends: '@svc/assay/ruleset'\nrules: { name-length: warn }\n" });
  expect(rules.find(({ id }) => id === 'name-length')).toMatchObject({
    requirements: ['naming.name.at-most-49'],
    help: expect.stringContaining('Good:') as string,
  });
});

test('a rule with a function of its own', async () => {
  const files = {
    'team.yaml': `functions: [secret]\nrules: { no-secret: ${secretRule(', severity: info, message: "{{error}}"')} }\n`,
    'functions/secret.mjs': SECRET,
  };
  const { findings } = await lint(files);
  expect(findings).toMatchObject([{ rule: 'no-secret', severity: 'info', message: 'Contains secret.' }]);
});

test('functions in another folder, as CommonJS with a library of Spectral', async () => {
  const common = `const { createRulesetFunction } = require('@stoplight/spectral-core');
module.exports = createRulesetFunction({ input: null, options: {} }, () => [{ message: 'Always.' }]);`;
  const files = {
    'team.yaml': `functionsDir: checks\nfunctions: [secret]\nrules: { no-secret: ${secretRule()} }\n`,
    'checks/secret.cjs': common,
  };
  expect(await found(files)).toEqual(['api.yaml:2 warning no-secret']);
});

test('a function of Spectral, and formats by both of their names', async () => {
  const rule = (formats: string) =>
    `{ given: $.info, formats: [${formats}], then: { field: license, function: truthy } }`;
  const rules = `{ a: ${rule('oas3.1')}, b: ${rule('oas3_1')}, c: ${rule('oas2')} }`;
  expect(await found({ 'team.yaml': `rules: ${rules}\n` })).toEqual(['api.yaml:2 warning a', 'api.yaml:2 warning b']);
});

test('spectral:oas next to ours, with the document dereferenced for its rules', async () => {
  const text = `extends: [spectral:oas, '@svc/assay/ruleset']\nrules: ${ONLY}\n`;
  expect(await found({ 'team.yaml': text })).toEqual(
    expect.arrayContaining([
      ...OURS,
      'api.yaml:8 warning oas3-unused-component',
      'gadgets.yaml:2 warning operation-description',
    ]),
  );
});

test('a ruleset extends another file, which extends ours', async () => {
  const files = {
    'team.json': '{"extends": ["./base/base.yaml", "./base/base.yaml"], "rules": {"no-nullable": "off"}}',
    'base/base.yaml': `extends: '@svc/assay/ruleset'\nrules: ${ONLY}\n`,
  };
  expect(await found(files)).toEqual(OURS.slice(1));
});

test('a ruleset extends an installed package', async () => {
  const files = {
    'team.yaml': 'extends: company-rules\n',
    'node_modules/company-rules/package.json': '{"name": "company-rules", "main": "index.cjs"}',
    'node_modules/company-rules/index.cjs': `module.exports = { extends: '@svc/assay/ruleset', rules: ${JSON.stringify({ 'operation-tags': 'off' })} };`,
  };
  const all = await found(files);
  expect(all).toEqual(expect.arrayContaining(OURS));
  expect(all.join(' ')).not.toContain('operation-tags');
});

test('overrides apply to files by their name', async () => {
  const text = (files: string) =>
    `extends: '@svc/assay/ruleset'\nrules: ${ONLY}\noverrides: [{ files: ['${files}'], rules: { no-nullable: off } }]\n`;
  expect(await found({ 'team.yaml': text('api.yaml') })).toEqual(OURS.slice(1));
  expect(await found({ 'other.yaml': text('other.yaml') })).toEqual(OURS);
});

test.each<[string, string, string, string]>([
  ['another kind of file', 'team.txt', '', 'Unknown kind of file. Expected one of .yaml, .yml, .json'],
  ['invalid YAML', 'team.yaml', 'rules: [', 'It is not valid YAML: '],
  ['a text', 'team.yaml', 'hello', 'Expected an object with rules, extends or overrides.'],
  ['an object without rules', 'team.yaml', 'a: 1', 'must have rules or extends or overrides'],
  ['a module without a default export', 'team.mjs', 'export const a = 1;', 'Expected an object with rules'],
  ['a module with a syntax error', 'team.mjs', 'export default {', 'team.mjs cannot be loaded: '],
  ['a module that throws', 'team.mjs', "throw new Error('no luck');", 'team.mjs cannot be loaded: no luck.'],
  [
    'a rule that does not exist',
    'team.yaml',
    "{ extends: '@svc/assay/ruleset', rules: { gone: off } }",
    'rules.gone: No extended ruleset has this rule.',
  ],
  [
    'a mistyped rule',
    'team.yaml',
    "{ extends: [['@svc/assay/ruleset', off]], rules: { name-lenght: error } }",
    'rules.name-lenght: No extended ruleset has this rule. Did you mean "name-length"?',
  ],
  [
    'a given that cannot be evaluated',
    'team.yaml',
    `{ rules: { fine: { given: $, then: { function: truthy } }, a: { given: '$.x[?(@.b ==)]', then: { function: truthy } } } }`,
    'rules.a.given: The JSONPath "$.x[?(@.b ==)]" cannot be evaluated: ',
  ],
  [
    'a function in a module that throws',
    'team.mjs',
    "export default { rules: { a: { given: '$', then: { function: () => { throw new Error('boom'); } } } } };",
    'rules.a: The function of team.mjs threw an error: boom.',
  ],
  [
    'an unknown severity',
    'team.yaml',
    `{ rules: { a: { given: $, severity: bad, then: { function: truthy } } } }`,
    'rules.a.severity: ',
  ],
  [
    'an unknown function',
    'team.yaml',
    '{ rules: { a: { given: $, then: { function: gone } } } }',
    'rules.a.then.function: Unknown function "gone". Expected one of alphabetical, ',
  ],
  [
    'an unknown format',
    'team.yaml',
    '{ rules: { a: { given: $, formats: [x], then: { function: truthy } } } }',
    'rules.a.formats: Unknown format "x". Expected one of oas2, oas3, ',
  ],
  [
    'a missing function',
    'team.yaml',
    '{ functions: [gone], rules: {} }',
    'gone with the extension .js, .mjs, .cjs, .ts, .mts, .cts.',
  ],
  ['a missing extension', 'team.yaml', 'extends: ./gone.yaml', 'extends: There is no file '],
  ['a URL', 'team.yaml', 'extends: https://rules.example/a.yaml', 'extends: URLs are not supported.'],
  [
    'rules for something else',
    'team.yaml',
    'extends: spectral:asyncapi',
    'Expected spectral:oas, @svc/assay/ruleset, or a file.',
  ],
  ['a circle', 'team.yaml', 'extends: ./team.yaml', 'It extends itself: '],
  ['a key __proto__', 'team.json', '{ "__proto__": { "rules": {} } }', 'A key must not be called __proto__.'],
  [
    'such a key in overrides',
    'team.json',
    '{ "overrides": [{ "files": ["*"], "rules": { "__proto__": "off" } }] }',
    '__proto__',
  ],
  ['except', 'team.yaml', "{ extends: '@svc/assay/ruleset', except: {} }", 'Use overrides'],
  [
    'a reserved name',
    'team.yaml',
    '{ rules: { coverage: { given: $, then: { function: truthy } } } }',
    'must not be called coverage',
  ],
])('%s is refused with the file and the reason', async (_what, name, text, reason) => {
  const tried = found({ [name]: text });
  await expect(tried).rejects.toThrow(UsageError);
  await expect(tried).rejects.toThrow(`${name}: `);
  await expect(tried).rejects.toThrow(reason);
});

test('a missing file is refused', async () => {
  await expect(loadRuleset(path.join(folder, 'gone.yaml'))).rejects.toThrow('gone.yaml: It does not exist.');
});

test.each([
  ["function secret() { throw new TypeError('no title'); }", 'threw an error: no title.'],
  ["async function secret() { throw new TypeError('no title'); }", 'threw an error: no title.'],
  ["() => 'no'", 'must return a list of { message, path }, or nothing; it returned "no".'],
  ['async () => 5', 'must return a list of { message, path }, or nothing; it returned 5.'],
  ['() => null', 'must return a list of { message, path }, or nothing; it returned null.'],
  ['() => [{ text: 1 }]', 'must return a list of { message, path }, or nothing; it returned [{"text":1}].'],
])('the function %s is reported with its rule and its file', async (text, reason) => {
  const files = {
    'team.yaml': `functions: [secret]\nrules: { no-secret: ${secretRule()} }\n`,
    'functions/secret.js': `module.exports = ${text};`,
  };
  await expect(lint(files)).rejects.toThrow(
    `team.yaml: rules.no-secret: The function of functions/secret.js ${reason}`,
  );
});

test.each(['() => undefined', 'async () => undefined', '() => []'])('the function %s finds nothing', async (text) => {
  const files = {
    'team.yaml': `functions: [secret]\nrules: { no-secret: ${secretRule()} }\n`,
    'functions/secret.cjs': `module.exports = ${text};`,
  };
  expect(await found(files)).toEqual([]);
});

test('overrides turn a rule off for one operation', async () => {
  const text = (at: string) =>
    `extends: '@svc/assay/ruleset'\nrules: ${ONLY}\noverrides: [{ files: ['*.yaml#${at}'], rules: { no-nullable: off } }]\n`;
  expect(await found({ 'team.yaml': text('/components/schemas/Gadget') })).toEqual(OURS.slice(1));
  expect(await found({ 'other.yaml': text('/components/schemas/Unused') })).toEqual(OURS);
});

test.each(['rules: {}\n', "extends: [['@svc/assay/ruleset', off]]\n"])(
  'a ruleset of which no rule is on is refused: %j',
  async (text) => {
    await expect(lint({ 'none.yaml': text })).rejects.toThrow('No rule is on, so nothing would be checked.');
  },
);
