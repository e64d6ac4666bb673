/** `npm run test:package`: installs the tarball of `npm pack` in an empty folder elsewhere and uses it as a user would, on several versions of Node. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { requirements } from '../../spec/requirements/index.ts';
import { browserPath } from './browser-path.ts';
import { consumerFiles } from './package-consumer.ts';

const checkout = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'assay-package-'));
const installed = path.join(folder, 'node_modules');

/** Besides the one that runs this, nightly: the first that is supported, and the newest. */
const OTHER_NODES = process.env['ASSAY_NIGHTLY'] === '1' ? ['22.19.0', '26'] : [];
/** In MiB, as the file system counts them. */
const MAX_INSTALLED = 30;

function run(command: string, words: readonly string[], cwd = folder): string {
  process.stdout.write(`$ ${command} ${words.join(' ')}\n`);
  const env = { ...process.env, ...(browserPath !== undefined && { CHROMIUM: browserPath }) };
  return execFileSync(command, words, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });
}

const npmInstall = (...packages: string[]): string =>
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...packages]);

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean }>;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The packed package is broken: ${what}.`);
  process.stdout.write(`ok: ${what}\n`);
}

interface ReadyLine {
  ready: boolean;
  target: { addresses: { management: string; inference: string }; credentials: { apiKey: { value: string } } };
}

/** The libraries that this needs are loaded on demand. */
async function checkStructuredOutput({ addresses, credentials }: ReadyLine['target']): Promise<void> {
  const schema = { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' };
  const response = await fetch(`${addresses.inference}/demo/models/demo-model/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credentials.apiKey.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'demo',
      messages: [{ role: 'user', content: 'Name a flight.' }],
      response_format: { type: 'json_schema', json_schema: { name: 'flight', schema } },
    }),
  });
  const text = await response.text();
  must(
    response.ok && /^[A-Z]{3}-\d{4}$/.test(JSON.parse(JSON.parse(text).choices[0].message.content)),
    `npx --no assay mock generates a text for a pattern (${response.status})`,
  );
}

async function mockSays(): Promise<ReadyLine> {
  const mock = spawn('npx', ['--no', 'assay', 'mock', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface(mock.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  const readyLine = JSON.parse(line) as ReadyLine;
  const health = await fetch(new URL('/_mock/health', readyLine.target.addresses.management));
  must(health.ok, 'npx --no assay mock serves');
  for (const file of ['console/script.js', 'console/style.css', 'docs/script.js', 'docs/style.css']) {
    const response = await fetch(new URL(`/_mock/${file}`, readyLine.target.addresses.management));
    must(response.ok && (await response.text()).length > 2000, `npx --no assay mock serves /_mock/${file}`);
  }
  await checkStructuredOutput(readyLine.target);
  // As Ctrl-C does, to npx and what it started.
  process.kill(-(mock.pid ?? 0), 'SIGINT');
  await once(mock, 'close');
  const gone = await fetch(health.url).then(
    () => false,
    () => true,
  );
  must(gone, 'npx --no assay mock stops when it is interrupted');
  return readyLine;
}

/** Lints a document, and the file that it refers to, from a server. */
async function lintAddress(): Promise<void> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end(readFileSync(path.join(folder, 'documents', path.basename(request.url ?? ''))));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.yaml`;
  // Not with execFileSync, which would keep the server from responding.
  const lint = spawn('npx', ['--no', 'assay', 'lint', address, '--format', 'json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([textOf(lint.stdout), once(lint, 'close')]);
  server.close();
  must(
    code === 1 && output.includes('open-shape-marked') && paths.join(' ') === '/api.yaml /parts.yaml',
    'npx --no assay lint reads a document by its URL',
  );
}

function writeConsumer(): void {
  for (const [file, text] of Object.entries(consumerFiles)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

/** Of a package in the checkout. */
function installedVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(path.join(checkout, 'node_modules', name, 'package.json'), 'utf8'));
  return version;
}

function checkTypes(): void {
  const tsc = path.join(checkout, 'node_modules/.bin/tsc');
  for (const project of ['tsconfig.json', 'tsconfig.fixtures.json']) {
    run(process.execPath, [tsc, '-p', path.join(folder, project)]);
    must(true, `the types compile with strict and without skipLibCheck (${project})`);
  }
}

/** The binary of a version of Node. Undefined if npm cannot download it. */
function findNode(version: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    npmInstall('--prefix', path.join(folder, 'nodes', version), `${name}@${version}`);
  } catch {
    return undefined;
  }
  return path.join(folder, 'nodes', version, 'node_modules', name, 'bin/node');
}

/** The command, its config file, a state file, the library and the exports, on one version of Node. */
function useOn(node: string): void {
  const version = run(node, ['--version']).trim();
  const assay = [path.join(installed, '@svc/assay/cli/assay.mjs')];
  const state = path.join(folder, `state-${version}.sqlite`);
  run(node, [...assay, 'mock', '--state', state, '--', node, ...assay, 'test', '--report', `report-${version}`]);
  const { summary } = JSON.parse(readFileSync(path.join(folder, `report-${version}/report.json`), 'utf8'));
  must(summary.passed === 2 && summary.failed === 0, `assay test judges a mock on Node ${version}`);
  run(node, [...assay, 'lint']);
  run(node, ['exports.js']);
  // A minute, because CI runs this at the lowest priority.
  run(node, [path.join(installed, 'vitest/vitest.mjs'), 'run', '--testTimeout=60000']);
  must(true, `lint, the exports and the fixtures of @svc/assay/vitest work on Node ${version}`);
}

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], checkout)) as [
    { filename: string },
  ];
  writeConsumer();
  run('npm', ['install', '--no-audit', '--no-fund', path.join(folder, packed.filename)]);
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
  const running = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  must(
    running.length === 0,
    `nothing runs when it is installed (${running.map(([name]) => name).join(', ') || 'none'})`,
  );
  const size = Number(run('du', ['-sm', installed]).split('\t', 1)[0]);
  must(size <= MAX_INSTALLED, `${size} MiB are installed, at most ${MAX_INSTALLED}`);
  const { length } = JSON.parse(run('npx', ['--no', 'assay', 'rules', '--json']));
  must(length === requirements.length, 'npx --no assay rules prints the catalogue');
  must((await mockSays()).ready, 'npx --no assay mock prints its address');
  const prism = ['--runs', '1', '--only', 'vpcs.*', '--oracle', 'prism', '--report', 'prism'];
  run('npx', ['--no', 'assay', 'mock', '--', 'npx', '--no', 'assay', 'test', ...prism]);
  must(true, 'npx --no assay test --oracle prism agrees with Prism');
  run('npx', ['--no', 'assay', 'lint']);
  must(true, 'npx --no assay lint finds our own documents clean');
  await lintAddress();
  const report = JSON.parse(readFileSync(path.join(folder, 'prism/report.json'), 'utf8'));
  must(
    report.run.complete && report.summary.passed > 0 && report.summary.failed === 0,
    'npx --no assay test judges a mock',
  );
  const page = readFileSync(path.join(folder, 'prism/report.html'), 'utf8');
  must(page.includes('<div id="page">') && page.includes(report.run.id), 'npx --no assay test writes report.html');
  run('npx', ['--no', 'assay', 'diff', 'prism', 'prism', '--format', 'html', '--output', 'diff.html']);
  must(
    readFileSync(path.join(folder, 'diff.html'), 'utf8').includes('No differences'),
    'npx --no assay diff writes HTML',
  );
  npmInstall(
    '@types/node@22',
    `vitest@${installedVersion('vitest')}`,
    `@playwright/test@${installedVersion('playwright-core')}`,
  );
  checkTypes();
  run('npx', ['playwright', 'test']);
  must(true, 'the fixtures of @svc/assay/playwright work');
  useOn(process.execPath);
  for (const version of OTHER_NODES) {
    const node = findNode(version);
    if (node === undefined) process.stdout.write(`not tested: Node ${version} cannot be downloaded\n`);
    else useOn(node);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
