/** Tests --target together with --base-url, variables in target files, and wrong credentials, with the real command. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import { ca, client } from '../../fixtures/tls/index.ts';
import { localProxy } from '../../suites/testing/local-proxy.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';
import { tlsFront } from './testing/tls-front.ts';

const RULE = 'metrics.resolution.hourly-cap';
const OLD = 'http://old.example/v0';

/** The mock's target without what names its address. */
function portable({ account = '', workspace = '', credentials = {} }: TargetFile): TargetFile {
  const { scoped: _, unrelated: __, ...named } = credentials;
  return { addresses: { management: OLD }, account, workspace, credentials: named };
}

test('--base-url replaces the management address of --target, also in the replay command', async () => {
  await using mock = await startMock({ deviate: [RULE] });
  const file = targetFile(portable(mock.target));
  const given = ['--target', file, '--base-url', mock.addresses.management];
  const report = path.join(newFolder(), 'report');
  const { code, out } = await run([
    'test',
    ...given,
    '--only',
    RULE,
    '--runs',
    '20',
    '--seed',
    '3',
    '--report',
    report,
  ]);
  expect(code).toBe(1);
  const [, words = ''] = /replay +npx --no assay (replay .*)/.exec(out) ?? [];
  expect(words).toBe(`replay ${report} ${RULE} ${given.join(' ')}`);
  const { run: facts } = JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8')) as Report;
  expect(facts).toMatchObject({ targetFile: file, baseUrl: mock.addresses.management });
  expect((await run(words.split(' '))).out).toContain(`failed ${RULE}`);
});

test('--base-url with --target, of other commands', async () => {
  await using mock = await startMock({});
  const given = ['--target', targetFile(portable(mock.target)), '--base-url', mock.addresses.management];
  const doctor = await run(['doctor', ...given]);
  expect(doctor.out).toContain(`${mock.addresses.management} responds`);
  expect(doctor.code).toBe(0);
  expect((await run(['sweep', ...given])).code).toBe(0);
  const proxy = await run(['proxy', ...given, '--', process.execPath, '-e', '']);
  expect(proxy.out).toContain(mock.addresses.management);
  expect(proxy.code).toBe(1); // Nothing was sent.
});

test.each(['test', 'doctor', 'sweep', 'proxy'])(
  'assay %s refuses --base-url for a file with addresses of another deployment',
  async (command) => {
    const file = targetFile({ addresses: { management: OLD, inference: 'http://run.old.example' } });
    const { code, out } = await run([command, '--target', file, '--base-url', 'http://127.0.0.1:1/v0']);
    expect(out).toContain('addresses.inference of the target file is http://run.old.example');
    expect(code).toBe(2);
  },
);

test('variables of a target file are replaced, and one that is not set is named', async () => {
  await using mock = await startMock({});
  const addresses = { management: '${URL}/v0' };
  const file = targetFile({ ...portable(mock.target), addresses, workspace: '${WORKSPACE:-demo}' });
  const env = { URL: mock.addresses.management.replace(/\/v0$/, '') };
  expect((await run(['doctor', '--target', file], { env })).code).toBe(0);
  const unset = await run(['doctor', '--target', file]);
  expect(unset.out).toContain('addresses.management: the environment variable URL is not set.');
  expect(unset.code).toBe(2);
});

test.each(['test', 'doctor', 'proxy'])('assay %s refuses an invalid proxy', async (command) => {
  const env = { HTTPS_PROXY: 'socks5://me:pa55word@proxy.example' };
  const { code, out } = await run([command, '--base-url', 'https://target.example/v0'], { env });
  expect(out).toContain('Invalid value of HTTPS_PROXY: expected a URL such as http://proxy.example:3128.');
  expect(out).not.toContain('pa55word');
  expect(code).toBe(2);
});

test('a wrong credential is named before the run', async () => {
  await using mock = await startMock({});
  const credentials = { ...mock.target.credentials, member: { env: 'MEMBER' } };
  const words = ['test', '--target', targetFile({ ...mock.target, credentials }), '--only', RULE, '--quick'];
  const { out } = await run(words, { env: { MEMBER: 'marked.wrong.token' } });
  const warning =
    'assay: credentials.member is refused: GET /accounts/{accountId}/metrics/enums/group-by returned 401. Replace the value of MEMBER ';
  expect(out).toContain(warning);
  expect(out.indexOf(warning)).toBeLessThan(out.indexOf('passed'));
  expect(out).not.toContain('marked');
});

test('a run and assay proxy use the certificates of the target file, and the proxy of the environment', async () => {
  await using mock = await startMock({});
  await using target = await tlsFront(mock.addresses.host ?? '');
  await using proxy = await localProxy();
  const addresses = { management: `https://target.example:${target.port}/v0` };
  const file = targetFile({ ...portable(mock.target), addresses, tls: { ca, ...client } });
  const env = { HTTPS_PROXY: proxy.address };
  const words = ['test', '--only', RULE, '--quick'];
  const direct = await run([...words, '--target', file], { env });
  expect(direct.out).toContain('1 passed');
  expect(direct.code).toBe(0);
  const assay = path.join(import.meta.dirname, '../assay.mjs');
  const through = await run(['proxy', '--target', file, '--', process.execPath, assay, ...words], { env });
  expect(through.out).toContain('1 passed');
  expect(through.code).toBe(0);
  expect(new Set(proxy.received)).toEqual(new Set([`CONNECT target.example:${target.port}`]));
});
