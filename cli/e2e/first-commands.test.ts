/**
 * Runs what a new user pastes first: the commands of the README, up to the first reports and its test, and the copy of a document
 * for a generator of clients. On the oldest Node that the README names, with the npm that came with it, in a copy of the
 * repository.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';

const pages = markdownPages();
const readme = pages.find(({ file }) => file === 'README.md') ?? { file: 'README.md', text: '' };
const blocks = [...codeBlocks(readme, 'bash'), ...codeBlocks(readme, 'sh')];
const [start = '', testAll = '', install = ''] = blocks
  .filter((block) => block.includes('npm ci'))
  .map((block) => block.trim());
const blockWith = (command: string): string => blocks.find((block) => block.includes(command)) ?? '';
const firstReport = blockWith('npx --no assay init');
const reportOfMock = blockWith('npx --no assay mock -- npx --no assay test');
const [, installVitest = ''] = /`(npm install --save-dev vitest)`/.exec(readme.text) ?? [];
const [vitestFile = ''] = codeBlocks(readme, 'ts');
const clients = pages.find(({ file }) => file === 'docs/clients.md') ?? { file: 'docs/clients.md', text: '' };
const copyDocument = codeBlocks(clients, 'bash').find((block) => block.startsWith('cp ')) ?? '';
const [, curl = ''] = /^(curl .*\n.*)$/m.exec(readme.text) ?? [];

let folder: string;
let env: NodeJS.ProcessEnv;
const inClone = (): string => path.join(folder, 'assay');

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-first-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(projectRoot, file), path.join(inClone(), file));
  env = withNode('20.0.0', '9.6.4');
});

/** The environment of a user who has this Node and its npm, without what npm and vitest set for this checkout. */
function withNode(version: string, npm: string): NodeJS.ProcessEnv {
  const program = `node-${process.platform}-${process.arch}`;
  const home = path.join(folder, version);
  run(`npm install --no-audit --no-fund --prefix ${home} ${program}@${version} npm@${npm}`, folder, process.env);
  const bins = [path.join(home, 'node_modules', program, 'bin'), path.join(home, 'node_modules/.bin')];
  const others = (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => !each.includes('node_modules'));
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(ENV|OPTIONS|PATH)|VITEST)/i.test(name));
  return { ...Object.fromEntries(own), PATH: [...bins, ...others].join(path.delimiter) };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, cwd: string, environment = env): string {
  return execFileSync('bash', ['-ec', command], { cwd, env: environment, encoding: 'utf8', maxBuffer: 1e8 });
}

/** Starts a server with a command, and calls `use` with the address that it prints. */
async function whileServing(command: string, cwd: string, use: (address: string) => Promise<void> | void) {
  const child = spawn('bash', ['-ec', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let address: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      address = /http:\/\/127\.0\.0\.1:\d+(?=\/v0)/.exec(line)?.[0];
      if (address !== undefined) break;
    }
    expect(address, 'the address that the mock prints').toBeDefined();
    await use(String(address));
  } finally {
    const closed = once(child, 'close');
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await closed;
  }
}

test('the mock starts with the first command, and answers the first request; the second command runs tests', async () => {
  expect(run('node --version', folder)).toBe('v20.0.0\n');
  await whileServing(`${start} -- --port 0`, folder, (address) => {
    const response = run(curl.replace('http://127.0.0.1:4010', address), folder);
    expect(JSON.parse(response)).toMatchObject([{ id: 'acc-demo' }]);
  });
  expect(run('npx --no assay rules', inClone())).toContain('metrics.');
  expect(run(`${testAll} -- spec/nearest.test.ts --no-color`, inClone())).toMatch(/\b1 passed/);
});

/** The newest report of a project has no failure, and the files that the README names. */
function expectReport(project: string): void {
  const reports = path.join(project, 'reports/out');
  const [newest = ''] = readdirSync(reports)
    .map((name) => path.join(reports, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  expect(readdirSync(newest)).toEqual(expect.arrayContaining(['report.html', 'report.json', 'junit.xml']));
  const { summary } = JSON.parse(readFileSync(path.join(newest, 'report.json'), 'utf8')) as {
    summary: { passed: number; failed: number; error: number };
  };
  expect(summary).toMatchObject({ failed: 0, error: 0 });
  expect(summary.passed).toBeGreaterThan(50);
}

/** It installs twice, builds and runs: five minutes on two processors, and over twenty next to other work. */
const INSTALLATION_TIMEOUT_MS = 3_600_000;

test(
  'another project installs the tarball, and reaches a report of a deployment and of the mock',
  { timeout: INSTALLATION_TIMEOUT_MS },
  async () => {
    const project = path.join(folder, 'project');
    mkdirSync(project);
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    run(install, project);
    // This Node is too old for the installed package, which says what to do.
    expect(run('npx --no assay rules 2>&1 || true', project)).toContain('npm install --save-dev node@24');
    run('npm install --no-audit --no-fund --save-dev node@24', project);
    expect(run('npx --no assay rules', project)).toContain('metrics.');

    const [, key = ''] = /Bearer (svc-key-\w+)/.exec(curl) ?? [];
    await whileServing('npx --no assay mock --port 0', project, (address) => {
      run(
        firstReport.replace('SVC_API_KEY=…', `SVC_API_KEY=${key}`).replace(/https:\/\/[\w.]+(?=\/v0)/, address),
        project,
      );
    });
    expectReport(project);
    run(reportOfMock, project);
    expectReport(project);
    expect(run('npx --no assay report', project)).toMatch(/^.*\breport\.html\n$/);

    // npm 10 needs another flag for vitest, which the README names. vitest 5 cannot be installed by npm 9.
    expect(installVitest).not.toBe('');
    const newer = withNode('20.20.2', '10.8.2');
    run(`${installVitest} --legacy-peer-deps`, project, newer);
    writeFileSync(path.join(project, 'agents.test.ts'), vitestFile);
    expect(run('npx vitest run --no-color', project, newer)).toMatch(/\b1 passed/);

    run(copyDocument, project);
    writeFileSync(
      path.join(project, 'title.js'),
      `import control from '@svc/assay/openapi/control.json' with { type: 'json' };\nconsole.log(control.info.title);\n`,
    );
    expect(run('npx node title.js', project)).toBe('Control API of the mock\n');
    expect(JSON.parse(readFileSync(path.join(project, 'management.json'), 'utf8'))).toMatchObject({ openapi: '3.1.0' });
  },
);
