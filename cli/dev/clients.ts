/**
 * `npm run clients`: generates clients from the published documents with generators that it installs in a temporary folder,
 * compiles them under `strict`, and uses those of fixtures/clients against the mock. Takes minutes.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Connect, Client } from '../../fixtures/clients/client.ts';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { generators, packages, type Generator } from './client-generators.ts';
import { devCommand } from './dev-command.ts';

const command = devCommand('clients', 'generates, compiles and uses clients of the published documents; takes minutes')
  .argument('[generators...]', `which generators; default: all of ${Object.keys(generators).join(', ')}`)
  .parse();
const unknown = command.args.filter((name) => !(name in generators));
if (unknown.length > 0)
  command.error(`Unknown generators: ${unknown.join(', ')}. The generators are ${Object.keys(generators).join(', ')}.`);
const selected = Object.entries(generators).filter(
  ([name]) => command.args.length === 0 || command.args.includes(name),
);

const root = path.join(import.meta.dirname, '../..');
const fixtures = path.join(root, 'fixtures/clients');
const documents = {
  management: 'spec/generated/management.json',
  host: 'spec/generated/host.json',
  inference: 'spec/generated/inference.json',
  sandbox: 'spec/generated/sandbox.json',
  control: 'docs/control-api.openapi.json',
};

/** Throws what the program wrote if it fails. */
function run(cwd: string, program: string, words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CI: '1' },
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim().split('\n').slice(-12).join('\n'));
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
};

function compile(folder: string, include: readonly string[]): void {
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  run(folder, path.join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json']);
}

async function load(source: string): Promise<Connect> {
  const bundle = await rolldown({ input: source, logLevel: 'silent', platform: 'node' });
  const file = `${source}.mjs`;
  await bundle.write({ file, codeSplitting: false });
  await bundle.close();
  const { connect } = (await import(pathToFileURL(file).href)) as { connect: Connect };
  return connect;
}

type Operation = readonly [name: string, call: (client: Client) => Promise<unknown>, expected: unknown];

/** The members of responses that the operations below read. */
interface Body {
  readonly metadata: { readonly displayName?: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly data: readonly { readonly billingDimension?: string }[];
  readonly files: readonly { readonly name: string }[];
}

interface Execution {
  readonly tasks: readonly { readonly arguments: unknown }[];
}

/** What a client does in the default world, what it must return, and what the mock has afterwards. */
async function operationsOf({ target }: RunningMock): Promise<Operation[]> {
  const { management, sandbox = '' } = target.addresses;
  const { start = '', end = '' } = target.metrics?.window ?? {};
  const headers = { authorization: `Bearer ${target.credentials.apiKey.value}` };
  const read = async (url: string) => (await (await fetch(url, { headers })).json()) as Body;
  const grouped = `startTime=${start}&endTime=${end}&groupBy=resource_name,billing_dimension`;
  const metrics = await read(`${management}/accounts/acc-demo/metrics?${grouped}`);
  const files = { 'a.txt': 'a', 'b.txt': 'b' };
  const secret = { CLIENT_ID: 'id', CLIENT_SECRET: 'secret', REFRESH_TOKEN: 'token' };
  return [
    ['lists accounts', (client) => client.listAccounts(), await read(`${management}/accounts`)],
    [
      'updates an agent',
      async (client) => [
        await client.updateAgent('demo-agent', 'New name'),
        (await read(`${management}/agents/demo-agent`)).metadata.displayName,
      ],
      ['New name', 'New name'],
    ],
    [
      'creates a VPC',
      async (client) => [await client.createVpc('new-vpc'), (await read(`${management}/vpcs/new-vpc`)).spec],
      ['new-vpc', { cidr: '10.0.0.0/16' }],
    ],
    [
      'creates a connection',
      async (client) => {
        await client.createConnection('new-connection', 'google-mail', secret);
        return (await read(`${management}/integrations/connections/new-connection`)).spec['integration'];
      },
      'google-mail',
    ],
    [
      'groups metrics',
      (client) => client.groupMetrics('acc-demo', start, end),
      metrics.data.map(({ billingDimension }) => billingDimension),
    ],
    [
      'writes nested directories',
      async (client) => [
        await client.writeFiles('new/nested', files),
        (await read(`${sandbox}/filesystem/tree/new/nested`)).files.map(({ name }) => name),
      ],
      [Object.keys(files), Object.keys(files)],
    ],
    [
      'deletes a preview token',
      async (client) => [
        typeof (await client.deletePreviewToken('demo-box', 'web', 't1')),
        (await fetch(`${management}/sandboxes/demo-box/previews/web/tokens/t1`, { headers })).status,
      ],
      ['string', 404],
    ],
    [
      'executes a job',
      async (client) => {
        const { tasks } = (await client.executeJob('demo-job', [{ file: 'a.csv' }])) as Execution;
        return tasks.map((task) => task.arguments);
      },
      [{ file: 'a.csv' }],
    ],
  ];
}

/** Returns a sentence per operation that does not work. */
async function use(connect: Connect): Promise<string[]> {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const { addresses, workspace = '', credentials } = mock.target;
  const { management, host = '', sandbox = '' } = addresses;
  const client = connect({
    addresses: { management, host, sandbox },
    token: credentials.apiKey.value,
    workspace,
  });
  const problems: string[] = [];
  for (const [name, call, expected] of await operationsOf(mock))
    try {
      assert.deepEqual(await call(client), expected);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : JSON.stringify(error)}`);
    }
  return problems;
}

/** Throws if the document cannot be generated or compiled. */
function generate(folder: string, { command: commandOf, files }: Generator, surface: string): void {
  const document = path.join(root, documents[surface as keyof typeof documents]);
  for (const [file, text] of Object.entries(files?.(document, surface) ?? {}))
    writeFileSync(path.join(folder, file), text);
  const [program, ...words] = commandOf(document, surface);
  run(folder, process.execPath, [path.join(folder, '../node_modules/.bin', program), ...words]);
  checkTypes(path.join(folder, 'generated'));
  compile(folder, [`generated/${surface}.ts`, `generated/${surface}/**/*.ts`]);
}

/** Removes the comments with which generated files turn off the compiler. */
function checkTypes(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck', ''));
  }
}

interface Result {
  readonly documentCount: number;
  /** Undefined if fixtures/clients does not use the generator. */
  readonly isUsable?: boolean;
  /** A sentence per document that cannot be generated or compiled, and per operation that does not work. */
  readonly problems: readonly string[];
}

async function check(folder: string, name: string, generator: Generator): Promise<Result> {
  cpSync(fixtures, folder, { recursive: true });
  mkdirSync(path.join(folder, 'generated'));
  const problems: string[] = [];
  for (const surface of Object.keys(documents))
    try {
      generate(folder, generator, surface);
    } catch (error) {
      problems.push(`${surface}: ${(error as Error).message}`);
    }
  const documentCount = Object.keys(documents).length - problems.length;
  const source = path.join(folder, `${name}.ts`);
  if (!existsSync(source)) return { documentCount, problems };
  const unusable = await compileAndUse(folder, source);
  return { documentCount, isUsable: unusable.length === 0, problems: [...problems, ...unusable] };
}

async function compileAndUse(folder: string, source: string): Promise<string[]> {
  try {
    compile(folder, [path.basename(source)]);
    return await use(await load(source));
  } catch (error) {
    return [`client: ${(error as Error).message}`];
  }
}

using installation = mkdtempDisposableSync(path.join(tmpdir(), 'assay-clients-'));
writeFileSync(
  path.join(installation.path, 'package.json'),
  JSON.stringify({ private: true, type: 'module', dependencies: packages }),
);
run(installation.path, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']);
const results: Result[] = [];
for (const [name, generator] of selected) {
  const result = await check(path.join(installation.path, name), name, generator);
  const { documentCount, isUsable, problems } = result;
  results.push(result);
  const client = { undefined: '', true: ', and its client works', false: ', and its client FAILED' }[String(isUsable)];
  process.stdout.write(`${name}: ${documentCount} of ${Object.keys(documents).length} documents${client}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem.replaceAll('\n', '\n    ')}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
const compiled = results.reduce((sum, { documentCount }) => sum + documentCount, 0);
const clients = results.filter(({ isUsable }) => isUsable !== undefined);
process.stdout.write(
  `${compiled} of ${results.length * Object.keys(documents).length} documents compile, ` +
    `${clients.filter(({ isUsable }) => isUsable).length} of ${clients.length} clients work.\n`,
);
