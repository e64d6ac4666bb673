/**
 * `npm run clients`: runs the commands of docs/clients.md for each published document in a temporary folder, compiles what
 * they generate under `strict`, and uses the clients of fixtures/clients and the Postman collections against the mock. Takes
 * minutes.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Connect, Client } from '../../fixtures/clients/client.ts';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { forSurface, generators, type Generator } from './client-generators.ts';
import { devCommand } from './dev-command.ts';
import { unexpectedReplies } from './postman-run.ts';

const names = generators.map(({ name }) => name);
const command = devCommand('clients', 'generates, compiles and uses clients of the published documents; takes minutes')
  .argument('[generators...]', `which generators; default: all of ${names.join(', ')}`)
  .parse();
const unknown = command.args.filter((name) => !names.includes(name));
if (unknown.length > 0)
  command.error(`Unknown generators: ${unknown.join(', ')}. The generators are ${names.join(', ')}.`);
const selected = generators.filter(({ name }) => command.args.length === 0 || command.args.includes(name));

const root = path.join(import.meta.dirname, '../..');
const fixtures = path.join(root, 'fixtures/clients');
const documents = {
  management: 'spec/generated/management.json',
  host: 'spec/generated/host.json',
  inference: 'spec/generated/inference.json',
  sandbox: 'spec/generated/sandbox.json',
  control: 'docs/control-api.openapi.json',
};

/** Without scripts of packages, without questions, and without what npm sets for this checkout. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name))),
  CI: '1',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

/** Throws what the command wrote if it fails. */
async function run(cwd: string, line: string): Promise<void> {
  const child = spawn('bash', ['-ec', line], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(output.trim().split('\n').slice(-12).join('\n'));
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

async function compile(folder: string, include: readonly string[]): Promise<void> {
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  await run(folder, `${path.join(root, 'node_modules/.bin/tsc')} -p tsconfig.json`);
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

/** Returns a sentence per operation that does not work, and one if the client does not send the path a/b like this. */
async function use(connect: Connect, nestedPath: string): Promise<string[]> {
  await using mock = await startMock({ sandboxUrls: 'path' });
  const { addresses, workspace = '', credentials } = mock.target;
  const { management, host = '', inference = '', sandbox = '' } = addresses;
  const client = connect({
    addresses: { management, host, inference, sandbox, control: `${host}/_mock` },
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
  const writes = await fetch(`${host}/_mock/requests?operation=writeTree`);
  const { requests } = (await writes.json()) as { requests: readonly { path: string }[] };
  const expected = nestedPath.replace(/^a/, 'new').replace(/b$/, 'nested');
  if (requests.length === 0 || !requests.every(({ path: sent }) => sent.endsWith(`/filesystem/tree/${expected}`)))
    problems.push(`docs/clients.md says that it sends a/b as ${nestedPath}, which it does not`);
  return problems;
}

/** Throws if the document cannot be generated or compiled. */
async function generate(folder: string, { commands, files }: Generator, surface: string): Promise<void> {
  copyDocument(folder, surface);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), forSurface(text, surface));
  for (const line of commands) await run(folder, forSurface(line, surface));
  checkTypes(folder, surface);
  await compile(folder, [`${surface}.ts`, `${surface}/**/*.ts`]);
}

/** `host` replaces the mock with its default port. */
function copyDocument(folder: string, surface: string, host = 'http://127.0.0.1:4010'): void {
  const text = readFileSync(path.join(root, documents[surface as keyof typeof documents]), 'utf8');
  writeFileSync(path.join(folder, `${surface}.json`), text.replaceAll('http://127.0.0.1:4010', host));
}

/** Removes the comments with which generated files turn off the compiler. */
function checkTypes(folder: string, surface: string): void {
  for (const name of globSync([`${surface}.ts`, `${surface}/**/*.ts`], { cwd: folder })) {
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\/[/*]\s*@ts-nocheck/g, '//'));
  }
}

/** Converts a document, and sends every request of the collection to a new mock. */
async function runCollection(folder: string, { commands }: Generator, surface: string): Promise<void> {
  await using mock = await startMock({ sandboxUrls: 'path' });
  copyDocument(folder, surface, mock.addresses.host);
  const report = path.join(folder, `${surface}-run.json`);
  for (const line of commands) {
    // Its exit code is 1 after a request without a response, which the report has, too.
    const reporting = line.includes('newman run') ? ` --reporters json --reporter-json-export ${report} || true` : '';
    await run(folder, forSurface(line, surface) + reporting);
  }
  const unexpected = unexpectedReplies(readFileSync(report, 'utf8'));
  if (unexpected.length > 0) throw new Error(unexpected.join('\n'));
}

interface Result {
  /** Whether Postman converted the documents; otherwise a generator wrote a client. */
  readonly isCollection: boolean;
  readonly documentCount: number;
  /** Undefined if fixtures/clients does not use the generator. */
  readonly isUsable?: boolean;
  /** A sentence per document that cannot be generated or compiled, and per operation that does not work. */
  readonly problems: readonly string[];
}

async function check(folder: string, generator: Generator): Promise<Result> {
  const { name, install } = generator;
  cpSync(fixtures, folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run(folder, install);
  const isCollection = name === 'Postman';
  const tryDocument = isCollection ? runCollection : generate;
  const problems: string[] = [];
  for (const surface of Object.keys(documents))
    try {
      await tryDocument(folder, generator, surface);
    } catch (error) {
      problems.push(`${surface}: ${(error as Error).message}`);
    }
  const documentCount = Object.keys(documents).length - problems.length;
  const source = path.join(folder, `${name}.ts`);
  if (!existsSync(source)) return { isCollection, documentCount, problems };
  const unusable = await compileAndUse(folder, source, String(generator.nestedPath));
  return { isCollection, documentCount, isUsable: unusable.length === 0, problems: [...problems, ...unusable] };
}

async function compileAndUse(folder: string, source: string, nestedPath: string): Promise<string[]> {
  try {
    await compile(folder, [path.basename(source)]);
    return await use(await load(source), nestedPath);
  } catch (error) {
    return [`client: ${(error as Error).message}`];
  }
}

using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-clients-'));
const results: Result[] = [];
for (const generator of selected) {
  const result = await check(path.join(folder.path, generator.name), generator);
  const { documentCount, isUsable, problems } = result;
  results.push(result);
  const client = { undefined: '', true: ', and its client works', false: ', and its client FAILED' }[String(isUsable)];
  process.stdout.write(`${generator.name}: ${documentCount} of ${Object.keys(documents).length} documents${client}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem.replaceAll('\n', '\n    ')}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
const countOf = (counted: readonly Result[]): string =>
  `${counted.reduce((sum, { documentCount }) => sum + documentCount, 0)} of ${counted.length * Object.keys(documents).length}`;
const collections = results.filter(({ isCollection }) => isCollection);
const generated = results.filter(({ isCollection }) => !isCollection);
const clients = results.filter(({ isUsable }) => isUsable !== undefined);
process.stdout.write(
  `${countOf(generated)} documents are accepted by generators, ${countOf(collections)} by Postman; ` +
    `${clients.filter(({ isUsable }) => isUsable).length} of ${clients.length} clients work.\n`,
);
