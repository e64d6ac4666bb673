/** Runs the commands that a new user pastes first: those of the README, on Node 20, in a copy of the repository. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';

const pages = markdownPages();
const readme = pages.find(({ file }) => file === 'README.md') ?? { file: 'README.md', text: '' };
const commands = codeBlocks(readme, 'bash').flatMap((block) =>
  block.split('\n').map((line) => line.split(' #', 1)[0]!.trim()),
);
const [start = '', runTests = '', install = ''] = commands.filter((line) => line.includes('npm ci'));
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
  const node = path.join(folder, 'node');
  run(`npm install --no-audit --no-fund --prefix ${node} node-${process.platform}-${process.arch}@20.20.2`, folder, {
    ...process.env,
  });
  const bin = path.join(node, `node_modules/node-${process.platform}-${process.arch}/bin`);
  // Without the Node of this checkout, which npm scripts have on their PATH.
  const others = (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => !each.includes('node_modules'));
  env = { ...process.env, PATH: [bin, ...others].join(path.delimiter) };
  // Without what npm and vitest set for this checkout; certificates, such as those of a company, stay.
  for (const name of Object.keys(env)) if (/^(npm_|NODE_(ENV|OPTIONS|PATH)|VITEST)/i.test(name)) delete env[name];
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, cwd: string, environment = env): string {
  return execFileSync('bash', ['-ec', command], { cwd, env: environment, encoding: 'utf8', maxBuffer: 1e8 });
}

test('the mock starts with the first command, and answers the first request', async () => {
  expect(run('node --version', folder)).toBe('v20.20.2\n');
  const child = spawn('bash', ['-ec', `${start} -- --port 0`], {
    cwd: inClone(),
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let address: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      address = /http:\/\/127\.0\.0\.1:\d+(?=\/v0)/.exec(line)?.[0];
      if (address !== undefined) break;
    }
    expect(address, 'the address that the mock prints').toBeDefined();
    const response = run(curl.replace('http://127.0.0.1:4010', String(address)), folder);
    expect(JSON.parse(response)).toMatchObject([{ id: 'acc-demo' }]);
  } finally {
    const closed = once(child, 'close');
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await closed;
  }
});

/** It installs twice and builds: three minutes on two processors, and over ten next to other work. */
const INSTALLATION_TIMEOUT_MS = 1_800_000;

test(
  'another project installs the tarball, and has the command, the mock and a run',
  { timeout: INSTALLATION_TIMEOUT_MS },
  () => {
    const project = path.join(folder, 'project');
    mkdirSync(project);
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    run(install, project);
    // Node 20 is too old for the installed package, which says what to do.
    expect(run('npx assay rules 2>&1 || true', project)).toContain('npm install --save-dev node@24');
    run('npm install --no-audit --no-fund --save-dev node@24', project);
    expect(run('npx assay rules', project)).toContain('metrics.');
    run("npx assay mock -- npx assay test --only 'accounts.*' --report out", project);
    const { summary } = JSON.parse(readFileSync(path.join(project, 'out/report.json'), 'utf8')) as {
      summary: { passed: number; failed: number };
    };
    expect(summary.passed).toBeGreaterThan(0);
    expect(summary.failed).toBe(0);
  },
);

test('the test command is the one that CI calls', () => {
  expect(runTests).toMatch(/&& npm test$/);
  expect(readFileSync(path.join(projectRoot, '.ci/run'), 'utf8')).toContain(`\nbash -c '${runTests}'\n`);
});
