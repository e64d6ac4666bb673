/** No output has a secret of the target in any encoding, although the target returns them in every one, in every place. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { escapeRegExp } from '../../spec/escape-regexp.ts';
import { readReport } from '../../reports/read-report.ts';
import { decodingsOf } from '../../suites/testing/decodings.ts';
import { encodings } from '../../suites/testing/encodings.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import type { Options } from './testing/assay-process.ts';
import { startLeakingTarget } from './testing/leaking-target.ts';
import type { LeakingTarget } from './testing/leaking-target.ts';
import { isNightly } from './testing/sample-size.ts';

/** Rules whose failures quote responses; in the nightly run all, and every command. */
const few = ['accounts.*', 'metrics.pagination.has-more-and-cursor-agree', 'oauth.token.*', 'errors.management.*'];
const rules = isNightly ? [] : onlyThese(...few);
const settings = ['--seed', '1', '--runs', '2', '--patience', '2'];

/** The nightly run takes ten minutes on two cores that do nothing else. */
const MAX_MS = 3_600_000;

/** Each output by its name: what a command printed, and each file that it wrote. */
const outputs = new Map<string, string>();
let leaking: Pick<LeakingTarget, 'secrets' | 'sent' | 'isMentioned'>;

/** Requests some addresses, as a frontend behind the proxy does. */
const FRONTEND = `
const { addresses, credentials } = JSON.parse(require('node:fs').readFileSync(process.env.ASSAY_TARGET, 'utf8'));
const headers = { authorization: 'Bearer ' + credentials.apiKey.value };
const paths = ['/accounts', '/accounts/acc-demo/metrics', '/agents/demo-agent', '/agents/none', '/vpcs', '/jobs/demo-job', '/images'];
(async () => { for (const path of [...paths, ...paths, ...paths]) await fetch(addresses.management + path, { headers }); })();
`;

function readFolder(name: string, folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const full = path.join(folder, file);
    if (statSync(full).isFile()) outputs.set(`${name}: ${file}`, readFileSync(full, 'utf8'));
  }
}

beforeAll(async () => {
  await using target = await startLeakingTarget();
  leaking = target;
  const folder = newFolder();
  const env = {
    ASSAY_TARGET: targetFile({ ...target.target, allow: 'write' }),
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: path.join(folder, 'job.md'),
  };
  const command = async (name: string, words: readonly string[], options: Options = {}): Promise<void> => {
    target.forgetIssued();
    const { out } = await run(words, { env, ...options });
    outputs.set(name, out);
  };
  const report = path.join(folder, 'test');
  await command('test', ['test', ...settings, ...rules, '--har', '--exchanges', 'all', '--report', report]);
  readFolder('test', report);
  outputs.set('job page', readFileSync(path.join(folder, 'job.md'), 'utf8'));
  await command('doctor', ['doctor']);
  const { management } = target.target.addresses;
  const [adminToken, apiKey] = [target.target.credentials?.admin, target.target.credentials?.apiKey].map(valueOf);
  const init = ['init', '--base-url', management, '--out', path.join(folder, 'init', 'target.yaml')];
  await command('init', init, { env: { SVC_ADMIN_TOKEN: adminToken!, SVC_API_KEY: apiKey! } });
  readFolder('init', path.join(folder, 'init'));
  if (!isNightly) return;
  const failed = readReport(report).requirements.filter(({ counterexample }) => counterexample !== undefined);
  for (const { id } of failed.slice(0, 10)) await command(`replay ${id}`, ['replay', report, id, '--patience', '2']);
  await command('proxy', ['proxy', '--', process.execPath, '-e', FRONTEND]);
  await killed(folder, env, target);
  readFolder('killed', path.join(folder, 'killed'));
  await command('sweep', ['sweep', '--report', path.join(folder, 'killed')]);
  const halves = ['1/2', '2/2'].map((shard) => ({ shard, report: path.join(folder, `shard-${shard[0]}`) }));
  for (const half of halves)
    await command(`shard ${half.shard}`, ['test', ...settings, '--shard', half.shard, '--report', half.report]);
  await command('merge', ['merge', ...halves.map((half) => half.report), '--report', path.join(folder, 'merged')]);
  readFolder('merged', path.join(folder, 'merged'));
  for (const format of ['text', 'html'])
    await command(`diff ${format}`, ['diff', report, path.join(folder, 'merged'), '--format', format]);
  await command('oracle', ['test', ...settings, '--oracle', 'prism', '--report', path.join(folder, 'oracle')]);
  readFolder('oracle', path.join(folder, 'oracle'));
}, MAX_MS);

const valueOf = (source: unknown): string => (source as { value: string }).value;

/** A run that is killed while it writes. */
async function killed(folder: string, env: Record<string, string>, target: LeakingTarget): Promise<void> {
  target.forgetIssued();
  const words = ['test', ...settings, ...onlyThese('vpcs.*', 'versions.listed.*', 'naming.*'), '--report'];
  const { out } = await run([...words, path.join(folder, 'killed')], {
    env,
    onStart: (child) => target.onWrite(12, () => child.kill('SIGKILL')),
  });
  outputs.set('killed', out);
}

const names = Object.keys(encodings);
/** They contain semicolons, commas, spaces or equals signs. */
const inNoCookie = names.filter((name) => name.includes('HTML references'));

test('every encoding was sent in every place', () => {
  const { body, header, error } = leaking.sent;
  for (const [place, sent] of Object.entries(isNightly ? leaking.sent : { body, header, error })) {
    const missing = names.filter((name) => !sent.has(name));
    const unfit = place.startsWith('cookie') ? inNoCookie : [];
    expect({ place, missing: missing.filter((name) => !unfit.includes(name)) }).toEqual({ place, missing: [] });
  }
});

test('the outputs are about them', () => {
  const complete = ['test: exchanges.ndjson', 'test: exchanges.har'];
  const some = [
    'test',
    'test: report.html',
    'test: report.json',
    'test: junit.xml',
    'test: summary.md',
    ...(isNightly ? ['test: observations.json'] : []),
    'job page',
  ];
  const mentioned = (output: string): string[] =>
    names.filter((name) => leaking.isMentioned(outputs.get(output) ?? '', name));
  for (const output of complete) {
    const missing = names.filter((name) => !mentioned(output).includes(name));
    expect({ output, missing }).toEqual({ output, missing: [] });
  }
  for (const output of [
    ...some,
    'doctor',
    'init',
    'init: target.yaml',
    ...(isNightly ? ['proxy', 'killed: ledger.ndjson', 'sweep', 'merge', 'diff html'] : []),
  ])
    expect({ output, isEmpty: (outputs.get(output) ?? '') === '' }).toEqual({ output, isEmpty: false });
  for (const output of some) expect({ output, count: mentioned(output).length }).not.toEqual({ output, count: 0 });
});

/** A run gets hundreds of tokens. */
const MAX_SECRETS = 40;
/** So much of a secret is as bad as all of it. */
const WINDOW = 12;

function partsOf(secret: string): string[] {
  const own = secret.startsWith('eyJ') ? (secret.split('.')[2] ?? '') : secret;
  const starts = Array.from({ length: Math.floor(own.length / (WINDOW / 2)) }, (_, at) => (at * WINDOW) / 2);
  return starts.map((at) => own.slice(at, at + WINDOW)).filter((part) => part.length === WINDOW);
}

test('no output has a secret, whatever is decoded', () => {
  const parts = new Set(leaking.secrets.slice(0, MAX_SECRETS).flatMap(partsOf));
  const anyPart = new RegExp([...parts].map((part) => escapeRegExp(part)).join('|'));
  const leaks = [...outputs].flatMap(([output, text]) =>
    decodingsOf(text).flatMap((form) => {
      const at = form.search(anyPart);
      return at < 0 ? [] : [`${output}: ${form.slice(Math.max(0, at - 100), at + 60)}`];
    }),
  );
  expect(leaks).toEqual([]);
});
