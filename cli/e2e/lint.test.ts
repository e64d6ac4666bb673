/** The command `assay lint` as a user runs it, and the ruleset as Spectral's own command runs it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { surfaces } from '../../spec/openapi-document.ts';
import { newFolder, run } from './testing/assay-process.ts';

const root = path.join(import.meta.dirname, '../..');
const bad = (rule: string) => path.join(root, `fixtures/bad-documents/${rule}.yaml`);
const NOTHING_COVERED = 'Coverage: none of the operations belong to the interface, which is normal for another API.';
const HEAD = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\n";
const own = surfaces.map((surface) => path.join(root, `spec/generated/${surface}.json`));

describe('assay lint', () => {
  test("lints the service's own documents, which are clean", async () => {
    const { code, out } = await run(['lint', '--time', '10m']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('No findings in 4 documents.') as string });
    expect(out).toContain(
      '12 of 12 on management, 3 of 3 on host, 6 of 6 on inference, 8 of 8 on sandbox; 0 differences',
    );
  });

  test('exits with 1 if it finds something, with the position', async () => {
    const { code, out } = await run(['lint', 'metrics-limit.yaml'], { cwd: path.dirname(bad('metrics-limit')) });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^metrics-limit\.yaml\n {2}\d+:\d+ {2}error {2}metrics-limit {2}The limit must not have a maximum/,
    );
  });

  test.each([
    ['stylish', /^fixtures.*\n {2}\d+:\d+/],
    ['json', /^\{\n {2}"lint": 1,\n {2}"clean": false/],
    ['sarif', /"version": "2\.1\.0"/],
    ['junit', /^<\?xml/],
    ['github', /^::error file=fixtures\/bad-documents\/labels\.yaml,line=/],
  ])('prints %s', async (format, form) => {
    const { code, out } = await run(['lint', '--format', format, 'fixtures/bad-documents/labels.yaml'], { cwd: root });
    expect({ code, fits: form.test(out) }).toEqual({ code: 1, fits: true });
  });

  test('a baseline hides known findings', async () => {
    const folder = newFolder();
    const document = path.join(folder, 'api.yaml');
    writeFileSync(document, readFileSync(bad('labels')));
    const written = await run(['lint', '--write-baseline', 'known.json', 'api.yaml'], { cwd: folder });
    expect(written).toEqual({ code: 0, out: '1 finding written to known.json.\n' });
    const again = await run(['lint', '--baseline', 'known.json', 'api.yaml'], { cwd: folder });
    expect(again).toEqual({
      code: 0,
      out: `${NOTHING_COVERED}\n\nNo findings in 1 document. 1 more in the baseline.\n`,
    });
    const text = readFileSync(document, 'utf8');
    writeFileSync(document, `# One line more.\n${text.replace('maxLength: 49', 'maxLength: 50')}`);
    const later = await run(['lint', '--baseline', 'known.json', 'api.yaml'], { cwd: folder });
    expect(later).toEqual({ code: 1, out: expect.stringMatching(/name-length[^]*1 finding in 1 document/) as string });
    expect(later.out).not.toContain('labels');
  });

  test('several documents are linted in one run, but have no common baseline', async () => {
    const [first, second] = [bad('labels'), bad('name-length')];
    const { code, out } = await run(['lint', first, second]);
    expect(code).toBe(1);
    expect(out).toMatch(/labels\.yaml\n[^]*name-length\.yaml\n[^]*2 findings in 2 documents/);
    for (const flag of ['--baseline', '--write-baseline']) {
      const refused = await run(['lint', first, second, flag, 'known.json']);
      expect(refused).toEqual({ code: 2, out: expect.stringContaining('A baseline is of one document') as string });
    }
  });

  test('a baseline of an unreadable document is not written', async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'api.yaml'), 'openapi: [\n');
    const { code, out } = await run(['lint', '--write-baseline', 'known.json', 'api.yaml'], { cwd });
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringMatching(
        /The baseline known\.json is not written\. api\.yaml:\d+:\d+ is not valid YAML/,
      ) as string,
    });
    expect(existsSync(path.join(cwd, 'known.json'))).toBe(false);
  });

  test('a tab that indents hides no other error: it is one, and no baseline contains it', async () => {
    const cwd = newFolder();
    writeFileSync(
      path.join(cwd, 'api.yaml'),
      readFileSync(bad('labels'), 'utf8').replace(/^info:/m, '\tx-a: 1\ninfo:'),
    );
    writeFileSync(path.join(cwd, 'known.json'), '{"baseline": 1, "findings": []}');
    const parts = [
      'A tab is not allowed as indentation. Use spaces.\n',
      'api.yaml cannot be read completely, so no rule was applied to it. Correct it first.\n',
      '1 finding in 1 document: 1 error, 0 warnings.\n',
    ];
    for (const flags of [[], ['--fail-severity', 'error'], ['--baseline', 'known.json']]) {
      const { code, out } = await run(['lint', 'api.yaml', ...flags], { cwd });
      expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(parts.join('[^]*')) as string });
    }
  });

  test.each([
    ['YAML', (text: string) => text],
    ['JSON', (text: string) => JSON.stringify(parse(text))],
  ])('reads %s from standard input, with references to files', async (_what, format) => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'part.yaml'), 'A: { type: string, description: A., nullable: true }\n');
    const api = `${HEAD}components: { schemas: { A: { $ref: 'part.yaml#/A' }, B: { type: string } } }\n`;
    const { code, out } = await run(['lint', '-'], { cwd, input: format(api) });
    expect(code).toBe(1);
    expect(out).toMatch(/^part\.yaml\n.*no-nullable/m);
    expect(out).toMatch(/^standard input\n.*schema-description/m);
  });

  test('standard input is read once, within the limits of a file', async () => {
    const twice = await run(['lint', '-', '/dev/stdin']);
    expect(twice).toEqual({ code: 2, out: expect.stringContaining('Documents from pipes: -, /dev/stdin') as string });
    const large = await run(['lint', '-', '--time', '10m'], { input: '#'.repeat(32 * 2 ** 20 + 1) });
    expect(large).toEqual({ code: 2, out: 'assay lint: standard input: It is larger than 32 MiB.\n' });
    const deep = await run(['lint', '-'], { input: `{"a": ${'['.repeat(10_000)}` });
    expect(deep).toEqual({
      code: 2,
      out: expect.stringContaining('standard input: It is nested too deeply') as string,
    });
  });

  test.each([
    ['invalid YAML', 'openapi: [\n'],
    ['nothing', ''],
    ['another document', 'hello: world\n'],
  ])('exits with 1 for %s', async (_what, text) => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'api.yaml'), text);
    expect(await run(['lint', 'api.yaml'], { cwd })).toMatchObject({ code: 1 });
  });

  test('missing parts of the interface count only with --coverage', async () => {
    const document = path.join(root, 'fixtures/good-documents/metrics.yaml');
    const silent = await run(['lint', document]);
    expect(silent).toMatchObject({ code: 0, out: expect.stringContaining('1 of 12 on management') as string });
    const strict = await run(['lint', '--coverage', document]);
    expect(strict.code).toBe(1);
    expect(strict.out).toMatch(/warning {2}coverage {2}The document has no PUT \/agents\/\{agentName\}/);
  });

  test('a document of something else has no coverage', async () => {
    const document = path.join(newFolder(), 'other.yaml');
    writeFileSync(document, 'openapi: 3.1.0\ninfo: { title: Other }\npaths: {}\n');
    expect(await run(['lint', document])).toEqual({
      code: 0,
      out: `${NOTHING_COVERED}\n\nNo findings in 1 document.\n`,
    });
    const { code, out } = await run(['lint', '--coverage', document]);
    expect(code).toBe(1);
    expect(out).toMatch(/warning {2}coverage {2}The document has none of the operations/);
  });

  test.each([
    ['a missing file', ['gone.yaml'], 'gone.yaml: It does not exist'],
    ['a folder', ['.'], 'It is a folder; expected a file'],
    ['no name', [''], '"": The name is empty. Expected a file path'],
    ['a file URL', ['file:///api.yaml'], 'file:///api.yaml: Unsupported URL scheme. Expected a file path'],
    ['an invalid URL', ['http://'], 'http://: Not a URL. Expected a file path'],
    ['an unknown format', ['--format', 'xml'], 'expected one of stylish, json, sarif, junit, github'],
    ['an invalid baseline', ['--baseline', 'package.json', bad('labels')], 'baseline package.json'],
    ['two baselines', ['--baseline', 'a', '--write-baseline', 'b'], 'cannot be used with'],
    ['a baseline in a missing folder', ['--write-baseline', 'gone/b.json', bad('labels')], 'cannot be written'],
    ['a URL with a password', ['http://user:hunter2@127.0.0.1:9/a'], 'http://…@127.0.0.1:9/a: URLs with a password'],
    ['a URL with a query', ['http://127.0.0.1:9/a?key=hunter2'], 'http://127.0.0.1:9/a?…: The server does not respond'],
    ['an unsupported URL scheme', ['ftp://user:hunter2@a/b'], 'ftp://…@a/b: Unsupported URL scheme'],
  ])('rejects %s', async (_what, words, says) => {
    const { code, out } = await run(['lint', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining(says) as string });
    expect(out).not.toContain('hunter2');
  });
});

describe('assay lint --fail-severity', () => {
  test.each([
    ['warn', 'operation-summary', 1],
    ['error', 'operation-summary', 0],
    ['error', 'labels', 1],
    ['hint', 'operation-summary', 1],
  ])('%s, with a violation of %s, exits with %i', async (level, rule, expected) => {
    const { code, out } = await run(['lint', '--fail-severity', level, bad(rule)]);
    expect({ code, out }).toEqual({ code: expected, out: expect.stringContaining(rule) as string });
    expect(out.includes('None is severe enough to fail the run')).toBe(expected === 0);
  });

  test('is a key of the config file', async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'assay.config.ts'), "export default { lint: { failSeverity: 'error' } };\n");
    expect(await run(['lint', bad('operation-summary')], { cwd })).toMatchObject({ code: 0 });
    writeFileSync(path.join(cwd, 'assay.config.ts'), "export default { lint: { failSeverity: 'warning' } };\n");
    const { code, out } = await run(['lint'], { cwd });
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('one of error, warn, info, hint') as string,
    });
  });
});

describe('assay lint --ruleset', () => {
  /** Lints a document that violates operation-summary with a ruleset. */
  function lintWith(name: string, text: string, ...flags: string[]) {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, name), text);
    return run(['lint', '--ruleset', name, ...flags, bad('operation-summary')], { cwd });
  }

  test('extends ours by its name, in YAML', async () => {
    const { code, out } = await lintWith(
      'team.yaml',
      "extends: '@svc/assay/ruleset'\nrules: { operation-summary: off }\n",
    );
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('No findings') as string });
  });

  test('imports ours and the libraries of Spectral, in JavaScript', async () => {
    const text = `import { truthy } from '@stoplight/spectral-functions';
import { oas3 } from '@stoplight/spectral-formats';
import ours from '@svc/assay/ruleset';
setInterval(() => {}, 1000); // Does not keep the command alive.
export default {
  extends: [ours],
  rules: {
    'operation-summary': 'error',
    license: { formats: [oas3], given: '$.info', severity: 'hint', then: { field: 'license', function: truthy } },
  },
};`;
    const { code, out } = await lintWith('team.mjs', text);
    expect(code).toBe(1);
    expect(out).toMatch(/hint +license [^]*error +operation-summary/);
  });

  test('lists the rules of the ruleset in SARIF and JUnit', async () => {
    const rules = "extends: [['@svc/assay/ruleset', off]]\nrules: { operation-summary: true }\n";
    const sarif = JSON.parse((await lintWith('team.yaml', rules, '--format', 'sarif')).out) as {
      runs: { tool: { driver: { rules: { id: string }[] } } }[];
    };
    expect(sarif.runs[0]?.tool.driver.rules.map(({ id }) => id)).toEqual([
      'operation-summary',
      'parser',
      'string-keys',
      'invalid-ref',
      'coverage',
    ]);
    expect((await lintWith('team.yaml', rules, '--format', 'junit')).out).toContain('tests="1" failures="1"');
  });

  test('ends within the time, also if the ruleset does not', async () => {
    const { code, out } = await lintWith('team.mjs', 'for (;;);', '--time', '2s');
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('The document and the ruleset team.mjs need more than 2 s to be linted.') as string,
    });
  });

  test('reports an invalid ruleset with its file', async () => {
    const { code, out } = await lintWith('team.yaml', 'extends: ./gone.yaml\n');
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringMatching(/^assay lint: ruleset team\.yaml: extends: There is no file/) as string,
    });
  });
});

/** A header of the service, so that the document describes the interface. */
const OURS = { securitySchemes: { brand: { type: 'apiKey', in: 'header', name: 'X-Svc-Authorization' } } };

test('paths in reports for CI are relative to the root of the repository', async () => {
  const cwd = newFolder();
  mkdirSync(path.join(cwd, 'packages/api'), { recursive: true });
  writeFileSync(
    path.join(cwd, 'packages/api/api.yaml'),
    'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: []\n',
  );
  const out = async (format: string) => {
    const env = { GITHUB_WORKSPACE: realpathSync(cwd) };
    return (await run(['lint', 'api.yaml', '--format', format], { cwd: path.join(cwd, 'packages/api'), env })).out;
  };
  expect(await out('github')).toContain('::error file=packages/api/api.yaml,line=3,');
  expect(await out('sarif')).toContain('"uri": "packages/api/api.yaml"');
  expect(await out('junit')).toContain('<![CDATA[packages/api/api.yaml:3:');
  expect(await out('stylish')).toMatch(/^api\.yaml\n/);
});

test('the examples of functions and overrides in the documentation work', async () => {
  const cwd = newFolder();
  mkdirSync(path.join(cwd, 'functions'));
  const page = readFileSync(path.join(root, 'docs/lint.md'), 'utf8');
  for (const [, name = '', text = ''] of page.matchAll(/^```(?:yaml|js)\n(?:#|\/\/) (\S+)\n([^]*?)^```/gm))
    if (!name.startsWith('.')) writeFileSync(path.join(cwd, name), text);
  const document = { openapi: '3.1.0', info: { title: 'Internal', version: '1' }, components: OURS };
  writeFileSync(path.join(cwd, 'api.yaml'), JSON.stringify({ ...document, paths: { '/v0/reload': { post: {} } } }));
  const words = await run(['lint', '--ruleset', 'words.yaml', 'api.yaml'], { cwd });
  expect(words).toMatchObject({
    code: 1,
    out: expect.stringContaining('title-words  The title must not contain "internal".') as string,
  });
  const { out } = await run(['lint', 'api.yaml'], { cwd });
  expect(out).toContain('credential-required');
  const overridden = await run(['lint', '--ruleset', 'public.yaml', 'api.yaml'], { cwd });
  expect(overridden.out).toContain('version-header');
  expect(overridden.out).not.toContain('credential-required');
  const team = await run(['lint', '--ruleset', 'team.yaml', 'api.yaml'], { cwd });
  expect(team.out).toMatch(/license-named +The document names its license\./);
  // In our words, not in those of spectral:oas.
  expect(team.out).toMatch(/operation-tags +POST \/v0\/reload has no tag/);
});

test('assay lint --coverage says why the items of a collection are no resources', async () => {
  const cwd = newFolder();
  const queue = { content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } } };
  const paths = {
    '/v0/queues': { post: { requestBody: queue } },
    '/v0/queues/{queueId}': { get: { responses: { 200: { description: 'A queue.', ...queue } } } },
  };
  writeFileSync(path.join(cwd, 'api.json'), JSON.stringify({ openapi: '3.1.0', info: {}, paths, components: OURS }));
  const { out } = await run(['lint', '--coverage', 'api.json'], { cwd });
  expect(out).toContain('no resource: its items are addressed by the identifier {queueId}\n');
});

test('assay lint --coverage lists the resources and collections that it recognizes', async () => {
  const { out } = await run(['lint', '--coverage', ...own.slice(0, 1)]);
  expect(out).toContain('  Agent                  it has metadata and spec\n');
  expect(out).toMatch(/\n {2}\/agents +get GET \/agents\/\{agentName\}, list GET \/agents, create POST \/agents, /);
});

describe("Spectral's own command", () => {
  const home = path.dirname(createRequire(import.meta.url).resolve('@stoplight/spectral-cli/package.json'));
  const ruleset = path.join(root, 'spec/ruleset/index.mjs');

  /** Codes of what it found, by the names of the files. */
  function spectral(rules: string, ...documents: string[]): string[] {
    const words = [
      path.join(home, 'dist/index.js'),
      'lint',
      '--ruleset',
      rules,
      '--format',
      'json',
      '--quiet',
      ...documents,
    ];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', cwd: newFolder() });
    // Findings go to one stream, what went wrong to the other.
    if (stderr !== '') throw new Error(stderr);
    const results = JSON.parse(stdout) as { code: string; source: string }[];
    return results.map(({ code, source }) => `${path.basename(source)} ${code}`);
  }

  test('finds our own documents clean, and the errors of a bad one', () => {
    expect(existsSync(ruleset)).toBe(true);
    const found = spectral(ruleset, ...own, bad('envelope-read-only'), bad('version-refused'));
    expect(found).toEqual(['envelope-read-only.yaml envelope-read-only', 'version-refused.yaml version-refused']);
  });

  test('follows references to other files', () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'api.yaml'), "openapi: 3.1.0\npaths: { /vpcs: { $ref: 'vpcs.yaml#/vpcs' } }\n");
    writeFileSync(path.join(folder, 'vpcs.yaml'), 'vpcs:\n  get: { operationId: vpcsList }\n');
    expect(spectral(ruleset, path.join(folder, 'api.yaml'))).toContain('vpcs.yaml operation-id');
  });

  test('extends the ruleset, with some rules off', () => {
    const team = path.join(newFolder(), 'team.yaml');
    writeFileSync(team, `extends: ['${ruleset}']\nrules: { labels: off }\n`);
    expect(spectral(team, bad('labels'), bad('name-length'))).toEqual(['name-length.yaml name-length']);
  });
});
