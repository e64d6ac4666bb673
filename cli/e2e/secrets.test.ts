/** No secret of a target is in anything that the commands write, tried with the real commands against a faulty target. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import { startRecordingMock } from './testing/recording-mock.ts';

/** Deviations that make responses, reasons and curl lines contain what was sent. */
const FAULTS = [
  'metrics.resolution.hourly-cap',
  'resources.shapes.fit-the-schema',
  'versions.unknown.stable-date-refused',
  'oauth.token.no-store',
  'auth.metrics.bearer-required',
];
const topics = [
  'auth.schemes',
  'auth.metrics',
  'oauth',
  'versions.unknown',
  'errors.management',
  'integrations',
  'vpcs',
];
const rules = ['metrics.resolution.hourly-cap', 'resources.shapes.*', ...topics.map((topic) => `${topic}.*`)];

/** What each command printed and wrote, by its name. */
const written = new Map<string, string>();
let secrets: string[] = [];

const textsBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** The values of a target file, in every spelling in which they travel. */
function secretsOf({ credentials = {}, client }: TargetFile): string[] {
  const { scoped = {}, ...named } = credentials;
  const sources = [...Object.values(named), ...Object.values(scoped), client?.secret];
  const values = sources.flatMap((source) => (source !== undefined && 'value' in source ? [source.value] : []));
  const signatures = values.flatMap((value) => value.split('.').slice(2));
  const pair =
    client !== undefined && 'value' in client.id && 'value' in client.secret
      ? [client.id.value, client.secret.value]
      : [];
  return [...values, ...signatures, ...values.map(base64), ...(pair.length === 0 ? [] : [base64(pair.join(':'))])];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

beforeAll(async () => {
  await using mock = await startMock({ deviate: FAULTS });
  const folder = newFolder();
  const target = targetFile({ ...mock.target, allow: 'destroy' });
  secrets = secretsOf(mock.target);
  const command = async (name: string, ...words: string[]): Promise<void> => {
    const report = path.join(folder, name);
    const isPrintedOnly = /^(plan|replay|diff)/.test(name);
    const { out } = await run([...words, ...(isPrintedOnly ? [] : ['--report', report])], {
      env: { ASSAY_TARGET: target, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(folder, 'job.md') },
    });
    written.set(name, out + (isPrintedOnly ? '' : textsBelow(report)));
  };
  const words = ['test', '--seed', '2', '--runs', '1'];
  await command('test', ...words, ...onlyThese(...rules), '--oracle', 'prism');
  const few = [...words, ...onlyThese(...FAULTS)];
  await command('plan', ...few, '--plan');
  await Promise.all(['1/2', '2/2'].map((shard) => command(`shard-${shard[0]}`, ...few, '--shard', shard)));
  await command('merge', 'merge', path.join(folder, 'shard-1'), path.join(folder, 'shard-2'));
  const compared = [path.join(folder, 'merge'), path.join(folder, 'test')];
  await Promise.all(
    ['text', 'html'].map((format) => command(`diff-${format}`, 'diff', ...compared, '--format', format)),
  );
  written.set('job page', readFileSync(path.join(folder, 'job.md'), 'utf8'));
  const report = JSON.parse(readFileSync(path.join(folder, 'test', 'report.json'), 'utf8')) as Report;
  const failed = report.requirements.filter(({ counterexample }) => counterexample !== undefined);
  for (const { id } of failed.slice(0, 3)) await command(`replay ${id}`, 'replay', path.join(folder, 'test'), id);
  written.set('failures', String(failed.length));
  secrets.push(...mock.world.credentials.keys()); // also those that were issued meanwhile
  await sweep(folder);
});

/** A run that is killed, and the sweep after it. */
async function sweep(folder: string): Promise<void> {
  let [kill, writes] = [(): unknown => undefined, 0];
  await using watched = await startRecordingMock(({ method, status }) => {
    if (status !== undefined && method === 'POST' && (writes += 1) === 8) kill();
  });
  secrets.push(...secretsOf(watched.target));
  const target = targetFile({ ...watched.target, allow: 'write' });
  const report = path.join(folder, 'killed');
  const words = ['--target', target, '--report', report];
  const killed = await run(['test', '--seed', '2', '--runs', '1', ...onlyThese('vpcs.*', 'versions.*'), ...words], {
    onStart: (child) => (kill = () => child.kill('SIGKILL')),
  });
  written.set('killed', killed.out + textsBelow(report));
  written.set('sweep', (await run(['sweep', ...words])).out);
}

test('there is much to search, and failures are in it', () => {
  expect(Number(written.get('failures'))).toBeGreaterThanOrEqual(FAULTS.length);
  expect([...written.keys()].filter((name) => name.startsWith('replay'))).toHaveLength(3);
  expect(written.get('test')).toContain('$SVC_ADMIN_TOKEN');
  expect(written.get('test')).toContain('::error');
  expect(written.get('killed')).toContain('"created":');
  expect(secrets.length).toBeGreaterThan(30);
});

const all = ['test', 'plan', 'shard-1', 'shard-2', 'merge', 'diff-text', 'diff-html', 'job page', 'killed', 'sweep'];

test.each(all)('%s writes no secret', (name) => {
  expect(written.get(name)).toBeTruthy();
  expect(secrets.filter((secret) => written.get(name)?.includes(secret))).toEqual([]);
});

/** Slips of the pen, each with a secret where none belongs. */
const slips: [string[], string?][] = [
  [['test', '--base-url', 'http://user:s3cret@127.0.0.1:1/v0']],
  [['test', '--target', 'http://127.0.0.1:1/v0?key=s3cret']],
  [['sweep', 'http://s3cret@127.0.0.1:1/v0']],
  [['proxy', '--base-url', 'http://127.0.0.1:1/v0?key=s3cret']],
  [['lint', 'http://127.0.0.1:1/api.yaml?key=s3cret']],
  [['mock', '--control-tokn=s3cret']],
  [['test', '--target', '-'], 'admin: { env: s3cret }'],
  [['test', '--target', '-'], 'admin: s3cret'],
];

test.each(slips)('assay %j with %j is refused without the secret', async (words, credentials) => {
  const input = `addresses: { management: http://127.0.0.1:1/v0 }\ncredentials: { ${credentials ?? ''} }\n`;
  const { code, out } = await run(words, { input });
  expect(code).toBe(2);
  expect(out).not.toContain('s3cret');
});

test('no replay writes one', () => {
  const replays = [...written].filter(([name]) => name.startsWith('replay'));
  expect(replays.flatMap(([, text]) => secrets.filter((secret) => text.includes(secret)))).toEqual([]);
});
