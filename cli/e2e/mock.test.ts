import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { testCertificate } from '../../mock/testing/test-certificate.ts';
import { assay, run } from './testing/assay-process.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-mock-'));
  const { cert, key } = testCertificate();
  const files = {
    'cert.pem': cert,
    'key.pem': key,
    'other.pem': testCertificate().key,
    'world.yaml': 'extends: default\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  mkdirSync(path.join(folder, 'folder'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('an empty ASSAY_CONTROL_TOKEN counts as not set', async () => {
  const env = { ASSAY_CONTROL_TOKEN: '' };
  expect((await run(['mock', '--port', '0', '--', 'true'], { env })).code).toBe(0);
  const { code, out } = await run(['mock', '--port', '0', '--host', '0.0.0.0', '--', 'true'], { env });
  expect([code, out]).toEqual([2, expect.stringContaining('Set --control-token or ASSAY_CONTROL_TOKEN')]);
});

test.each([
  [['--host', 'no-such-host.invalid', '--control-token', 'x'], /no-such-host\.invalid/],
  [['--control-token', ''], /Invalid value "" for --control-token: expected a non-empty string/],
  [
    ['--deviate', 'metrics.hourly-cap'],
    /Unknown deviation "metrics\.hourly-cap"\. Did you mean "metrics\.resolution\.hourly-cap" .*--list-deviations/,
  ],
  [['--deviate', 'x'], /Unknown deviation "x"\. See assay mock --list-deviations/],
  [['--latency', '1000000'], /Invalid value "1000000" for --latency: .*, at most 999999/],
  [['--latency', '9-5'], /Invalid value "9-5" for --latency/],
  [['--now', '1969-12-31T00:00:00Z'], /Invalid value "1969-12-31T00:00:00Z" for --now: expected an RFC 3339 timestamp/],
  [['--world', 'emty'], /--world: emty .*\. Worlds that need no file: default, empty, failing-deployments, large\./],
  [['--watch'], /--watch needs a world file: --world FILE\./],
  [['--watch', '--world', 'empty'], /--watch needs a world file; empty is a world that needs none\./],
  [['--watch', '--world', 'folder'], /--watch needs a regular file; folder is not one\./],
  [['--watch', '--world', 'world.yaml', '--state', 'mock.db'], /--watch cannot be used with --state/],
  [['--tls-cert', 'cert.pem'], /--tls-cert needs its private key as well: --tls-key FILE\./],
  [['--tls-key', 'key.pem'], /--tls-key needs the certificate as well: --tls-cert FILE\./],
  [['--tls-cert', 'none.pem', '--tls-key', 'key.pem'], /--tls-cert none\.pem .*/],
  [['--tls-cert', 'key.pem', '--tls-key', 'key.pem'], /--tls-cert key\.pem is not a certificate in PEM form\./],
  [['--tls-cert', 'cert.pem', '--tls-key', 'cert.pem'], /--tls-key cert\.pem is not a private key in PEM form/],
  [
    ['--tls-cert', 'cert.pem', '--tls-key', 'other.pem'],
    /--tls-key other\.pem is not the private key of the certificate\./,
  ],
])('assay mock %j is refused with a sentence', (flags, words) => {
  const command = [assay, 'mock', '--port', '0', ...flags];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: folder });
  expect(stderr).toMatch(words);
  expect(stderr.trimEnd()).not.toContain('\n');
  expect(status).toBe(2);
});

test.each([
  ['alone', []],
  ['with a command', ['--', process.execPath, '-e', '0']],
])('a port that is in use is refused with a sentence that says what to do, %s', async (_, command) => {
  await using mock = await startMock();
  const { port } = new URL(mock.addresses.host);
  expect(await run(['mock', '--port', port, ...command])).toEqual({
    code: 2,
    out: `assay mock: Port ${port} is in use: choose another one, or use --port 0 (in code: port 0), which picks a free one.\n`,
  });
});

/** Prints what a command beside the mock needs to know. */
const PRINT = `
  const names = Object.keys(process.env).filter((name) => name.startsWith('ASSAY_'));
  const { ASSAY_MANAGEMENT_URL, ASSAY_API_KEY, ASSAY_ADMIN_TOKEN, ASSAY_WORKSPACE, ASSAY_TARGET } = process.env;
  const target = JSON.parse(require('fs').readFileSync(ASSAY_TARGET));
  const statusWith = async (token) =>
    (await fetch(ASSAY_MANAGEMENT_URL + '/agents', { headers: { authorization: 'Bearer ' + token } })).status;
  (async () => {
    const statuses = [await statusWith(ASSAY_API_KEY), await statusWith(ASSAY_ADMIN_TOKEN), await statusWith('x')];
    const { addresses, workspace } = target;
    const { ASSAY_HOST_URL: host, ASSAY_INFERENCE_URL: inference, ASSAY_SANDBOX_URL: sandbox } = process.env;
    const given = { management: ASSAY_MANAGEMENT_URL, host, inference, sandbox };
    console.log(JSON.stringify({ names, statuses, given, addresses, workspaces: [workspace, ASSAY_WORKSPACE] }));
  })();
`;

const besideMock = (...flags: string[]) =>
  spawnSync(process.execPath, [assay, 'mock', ...flags, '--', process.execPath, '-e', PRINT], {
    encoding: 'utf8',
    env: { ...process.env, ASSAY_SANDBOX_URL: 'http://outer.example' },
    cwd: folder,
  });

test('a command gets the addresses and credentials as variables, and its output alone', () => {
  const { stdout, stderr, status } = besideMock();
  const { names, statuses, given, addresses, workspaces } = JSON.parse(stdout) as Record<string, unknown[]>;
  expect([status, stderr, statuses, workspaces]).toEqual([0, '', [200, 200, 401], ['demo', 'demo']]);
  expect(given).toEqual(addresses);
  expect(names).toEqual(expect.arrayContaining(['ASSAY_HOST_URL', 'ASSAY_SANDBOX_URL']));
});

test('--public-url begins all addresses', () => {
  const command = [
    '--',
    process.execPath,
    '-e',
    'console.log(require("fs").readFileSync(process.env.ASSAY_TARGET, "utf8"))',
  ];
  const flags = ['--port', '0', '--public-url', 'https://dev.example/mock/'];
  const { stdout } = spawnSync(process.execPath, [assay, 'mock', ...flags, ...command], {
    encoding: 'utf8',
    cwd: folder,
  });
  const { addresses } = JSON.parse(stdout) as { addresses: Record<string, string> };
  expect(addresses).toMatchObject({ management: 'https://dev.example/mock/v0', host: 'https://dev.example/mock' });
  for (const address of Object.values(addresses)) expect(address).toMatch(/^https:\/\/dev\.example\/mock(?:\/|$)/);
});

test('in a world without sandboxes, the URL of the sandbox is not set', () => {
  const { names, given } = JSON.parse(besideMock('--world', 'empty').stdout) as Record<string, object>;
  expect(names).not.toContain('ASSAY_SANDBOX_URL');
  expect(Object.keys(given ?? {})).toEqual(['management', 'host', 'inference']);
});

test('with --no-quiet, the requests of the command are logged on standard error', () => {
  const lines = besideMock('--no-quiet').stderr.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^GET \/v0\/agents 200 [\d.]+ ms$/),
    expect.stringMatching(/^GET \/v0\/agents 200 [\d.]+ ms$/),
    expect.stringMatching(/^GET \/v0\/agents 401 [\d.]+ ms: \S/),
  ]);
});

test('a command of Node trusts the certificate of --tls-cert', () => {
  const { stdout, stderr } = besideMock('--tls-cert', 'cert.pem', '--tls-key', 'key.pem');
  expect(stderr).toBe('');
  const { statuses, given } = JSON.parse(stdout) as { statuses: unknown; given: Record<string, string> };
  expect(statuses).toEqual([200, 200, 401]);
  for (const address of Object.values(given)) expect(address).toMatch(/^https:/);
});

test('with --tls-cert, the commands that the mock prints work', async () => {
  const flags = ['--port', '0', '--quiet', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  const child = spawn(process.execPath, [assay, 'mock', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (/^ +curl /.test(line)) lines.push(line);
      if (lines.length === 2) break;
    }
    const [tryIt = '', testIt = ''] = lines;
    const shell = async (line: string) => (await promisify(execFile)('sh', ['-c', line], { cwd: folder })).stdout;
    expect(await shell(tryIt)).toContain('"acc-demo"');
    const assayTest = `'${process.execPath}' '${assay}' test --only metrics.resolution.hourly-cap --runs 1`;
    expect(await shell(testIt.replace('npx --no assay test', assayTest))).toMatch(/1 passed/);
  } finally {
    child.kill();
  }
});
