/**
 * `npm run report-readers`: writes every kind of report, and reads each completely with other tools, which it installs in a
 * temporary folder. Takes three minutes.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sampleReport, writeSampleRun } from '../../reports/html/sample-run.ts';
import { writeReport } from '../../reports/write-report.ts';
import { devCommand } from './dev-command.ts';

devCommand('report-readers', 'reads our reports with the tools that users read them with; takes minutes').parse();

const dependencies = {
  '@microsoft/sarif-multitool': '5.7.0',
  allure: '3.18.0',
  'har-to-k6': '0.14.16',
  'har-validator': '5.1.5',
};

const root = path.join(import.meta.dirname, '../..');
using temporary = mkdtempDisposableSync(path.join(tmpdir(), 'assay-report-readers-'));
const folder = temporary.path;
const inFolder = (...names: string[]): string => path.join(folder, ...names);
const load = createRequire(inFolder('package.json'));
const read = (file: string): string => readFileSync(file, 'utf8');
const parse = (file: string): unknown => JSON.parse(read(file));

/** Returns standard output. Throws what the program wrote if it exits with a code other than these. */
function run(program: string, words: readonly string[], codes: readonly number[] = [0]): string {
  const env = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env });
  if (!codes.includes(status ?? -1)) throw new Error(`${path.basename(program)}: ${stdout}${stderr}`.slice(-2000));
  return stdout;
}
const command = path.join(root, 'cli/assay.mjs');
const assay = (...words: string[]): string => run(process.execPath, [command, ...words], [0, 1]);

interface Har {
  readonly log: { readonly entries: readonly { readonly request: { readonly url: string } }[] };
}

async function readHar(file: string): Promise<string> {
  const har = parse(file) as Har;
  await (load('har-validator') as { har: (har: unknown) => Promise<unknown> }).har(har);
  const { liHARToK6Script } = load('har-to-k6') as {
    liHARToK6Script: (har: Har) => Promise<{ main: string }>;
  };
  const { main } = await liHARToK6Script(har);
  const sent = [...main.matchAll(/= http\.\w+\(\s*(?:'[A-Z]+',\s*)?'([^']*)'/g)].map(([, url = '']) => url);
  const urls = har.log.entries.map(({ request }) => request.url);
  // har-to-k6 appends a parameter once more if its name occurs twice or is encoded.
  const isAppended = (url: string): boolean => {
    const names = [...new URL(url).searchParams.keys()];
    return new Set(names).size < names.length || names.some((name) => encodeURIComponent(name) !== name);
  };
  const isUnknown = (url: string): boolean => !urls.includes(url) && !isAppended(url);
  assert.deepEqual({ count: sent.length, unknown: sent.filter(isUnknown) }, { count: urls.length, unknown: [] });
  return `${urls.length} requests`;
}

interface Sarif {
  readonly runs: readonly { readonly results?: readonly object[] }[];
}

function readSarif(file: string): string {
  const program = load('@microsoft/sarif-multitool') as string;
  if (process.platform !== 'win32') chmodSync(program, 0o755);
  const output = inFolder('validation.sarif');
  const words = ['validate', file, '--rule-kind', 'Sarif;Ghas', '--output', output, '--log', 'ForceOverwrite'];
  run(program, words, [0, 1]);
  const resultsOf = (log: string): readonly object[] => (parse(log) as Sarif).runs[0]?.results ?? [];
  assert.deepEqual(resultsOf(output), []);
  return `${resultsOf(file).length} results`;
}

interface AllureResult {
  readonly fullName: string;
  readonly duration?: number;
  readonly error?: { readonly message?: string; readonly trace?: string };
}

function readJunit(file: string): string {
  using output = mkdtempDisposableSync(inFolder('allure-'));
  const allure = inFolder('node_modules/allure/cli.js');
  run(process.execPath, [allure, 'generate', path.dirname(file), '--output', output.path]);
  const results = path.join(output.path, 'data/test-results');
  const found = readdirSync(results).map((name) => parse(path.join(results, name)) as AllureResult);
  const xml = read(file);
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  assert.equal(found.length, count(/<testcase /g));
  const failed = found.filter(({ error }) => error?.trace !== undefined);
  assert.equal(failed.length, count(/<failure [^>]*><!\[CDATA/g));
  for (const { fullName, error } of found)
    assert.doesNotMatch(`${fullName} ${error?.message}`, /&(?:amp|lt|gt|quot|apos|#\w+);/);
  const [, seconds] = /^<testsuites .* time="([\d.]+)"/m.exec(xml) ?? [];
  if (seconds !== undefined)
    assert.equal(
      found.reduce((sum, { duration = 0 }) => sum + duration, 0),
      Math.round(1000 * Number(seconds)),
    );
  return `${found.length} cases, ${failed.length} failed`;
}

/** A comparison finds it within a few requests. */
const AGENT_DEVIATION = [
  'mock',
  '--deviate',
  'agents.update.round-trip/updateAgent.spec.triggers.each.configuration.path.constant',
  '--',
];

/** Allure reads every file of a folder, so each JUnit file has one of its own. */
async function writeReports(): Promise<readonly string[]> {
  await writeSampleRun(inFolder('sample'));
  const report = sampleReport();
  const { run: facts, target } = report;
  await writeReport(report, { run: facts, target, outcomes: [] }, inFolder('sample'), { har: true });

  const only = ['metrics.group-by.*', 'resources.shapes.*', 'oauth.*'].flatMap((glob) => ['--only', glob]);
  const test = ['test', '--quick', ...only, '--exchanges', 'all', '--har', '--report', 'test'];
  const deviation = ['mock', '--deviate', 'metrics.group-by.no-duplicates', '--', process.execPath, command];
  assay(...deviation, ...test);
  assay('judge', 'test/exchanges.har', '--report', 'judged');
  assay(...deviation, 'proxy', '--report', 'proxied', '--', process.execPath, command, 'test', '--quick', ...only);

  const agents = ['--only', '*Agent', '--requests', '30', '--seed', '5', '--allow', 'write'];
  writeFileSync(inFolder('compare.sh'), `${process.execPath} ${command} compare --mock "$ASSAY_TARGET" "$@"`);
  assay(...AGENT_DEVIATION, 'sh', 'compare.sh', ...agents, '--report', 'compared');

  cpSync(path.join(root, 'fixtures/bad-documents'), inFolder('documents'), { recursive: true });
  const documents = globSync('documents/*.yaml', { cwd: folder });
  mkdirSync(inFolder('lint'));
  const lint = (format: string, file: string, names: readonly string[]): void =>
    writeFileSync(inFolder('lint', file), assay('lint', '--time', '10m', '--format', format, ...names));
  lint('sarif', 'lint.sarif', documents);
  lint('junit', 'junit.xml', documents.slice(0, 5));
  return [
    'sample/exchanges.har',
    'sample/junit.xml',
    'test/exchanges.har',
    'test/junit.xml',
    'judged/junit.xml',
    'proxied/junit.xml',
    'compared/junit.xml',
    'lint/lint.sarif',
    'lint/junit.xml',
  ];
}

/** What each reader must not accept. */
const broken: Readonly<Record<string, (text: string) => string>> = {
  '.har': (text) => text.replaceAll('"queryString":[', '"queryString":[{"name":"limit","value":"%"},'),
  '.sarif': (text) => text.replaceAll('"startLine": ', '"startLine": -'),
  '.xml': (text) => text.replaceAll(' message="', ' message="&amp;'),
};

const readers: Readonly<Record<string, (file: string) => string | Promise<string>>> = {
  '.har': readHar,
  '.sarif': readSarif,
  '.xml': readJunit,
};

writeFileSync(inFolder('package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
for (const name of await writeReports()) {
  const file = inFolder(name);
  const kind = path.extname(name);
  const reader = readers[kind];
  assert(reader);
  process.stdout.write(`${name}: ${await reader(file)}.\n`);
  writeFileSync(file, broken[kind]?.(read(file)) ?? '');
  await assert.rejects(async () => reader(file), Error, `${name}: a broken file is accepted.`);
}
