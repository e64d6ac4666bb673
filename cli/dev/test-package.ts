/** `npm run test:package`: installs the tarball of `npm pack` in an empty folder elsewhere and uses it as a stranger would. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { requirements } from '../../spec/requirements/index.ts';

const checkout = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'assay-package-'));

function run(command: string, words: readonly string[], cwd = folder): string {
  process.stdout.write(`$ ${command} ${words.join(' ')}\n`);
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 });
}

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean }>;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The packed package is broken: ${what}.`);
  process.stdout.write(`ok: ${what}\n`);
}

async function mockSays(): Promise<{ ready: boolean; target: { addresses: { management: string } } }> {
  const mock = spawn('npx', ['assay', 'mock', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface(mock.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  const readyLine = JSON.parse(line);
  const health = await fetch(new URL('/_mock/health', readyLine.target.addresses.management));
  must(health.ok, 'npx assay mock serves');
  for (const file of ['console/script.js', 'console/style.css', 'docs/script.js', 'docs/style.css']) {
    const response = await fetch(new URL(`/_mock/${file}`, readyLine.target.addresses.management));
    must(response.ok && (await response.text()).length > 2000, `npx assay mock serves /_mock/${file}`);
  }
  // As Ctrl-C does, to npx and what it started.
  process.kill(-(mock.pid ?? 0), 'SIGINT');
  await once(mock, 'close');
  const gone = await fetch(health.url).then(
    () => false,
    () => true,
  );
  must(gone, 'npx assay mock stops when it is interrupted');
  return readyLine;
}

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], checkout)) as [
    { filename: string },
  ];
  run('npm', ['init', '--yes']);
  run('npm', ['install', '--no-audit', '--no-fund', path.join(folder, packed.filename)]);
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
  const running = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  must(
    running.length === 0,
    `nothing runs when it is installed (${running.map(([name]) => name).join(', ') || 'none'})`,
  );
  const { length } = JSON.parse(run('npx', ['assay', 'rules', '--json']));
  must(length === requirements.length, 'npx assay rules prints the catalogue');
  must((await mockSays()).ready, 'npx assay mock prints its address');
  const prism = ['--runs', '1', '--only', 'vpcs.*', '--oracle', 'prism', '--report', 'prism'];
  run('npx', ['assay', 'mock', '--', 'npx', 'assay', 'test', ...prism]);
  must(true, 'npx assay test --oracle prism agrees with Prism');
  run('npx', ['assay', 'lint']);
  must(true, 'npx assay lint finds our own documents clean');
  const report = JSON.parse(readFileSync(path.join(folder, 'prism/report.json'), 'utf8'));
  must(report.run.complete && report.summary.passed > 0 && report.summary.failed === 0, 'npx assay test judges a mock');
  const page = readFileSync(path.join(folder, 'prism/report.html'), 'utf8');
  must(page.includes('<div id="page">') && page.includes(report.run.id), 'npx assay test writes report.html');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
