/** The recipe "A version" of CONTRIBUTING.md, followed with a made-up version in a copy of the project. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applySecondVersion, SECOND_VERSION, touchedFiles } from '../../fixtures/second-version/apply.ts';
import { comparisonSchema } from '../../spec/formats/comparison.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import type { ReceivedRequest } from '../../suites/testing/local-server.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';
import type { Ended } from './testing/assay-process.ts';

const root = path.join(import.meta.dirname, '../..');
const copy = newFolder();
const assay = path.join(copy, 'cli/assay.mjs');
const inCopy = (...words: string[]): Promise<Ended> => run(words, { file: assay });
const VERSIONS = ['--versions', `2026-04-16..${SECOND_VERSION}`];

let mock: ReturnType<typeof spawn>;
let target: TargetFile;

beforeAll(async () => {
  for (const each of ['cli', 'fixtures', 'mock', 'reports', 'spec', 'suites', 'package.json', 'vitest.config.ts'])
    cpSync(path.join(root, each), path.join(copy, each), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  applySecondVersion(copy);
  execFileSync(process.execPath, [path.join(copy, 'spec/generate.ts')]);
  mock = spawn(process.execPath, [assay, 'mock', '--port', '0', '--json', '--quiet']);
  let text = '';
  for await (const chunk of mock.stdout!) if ((text += String(chunk)).includes('\n')) break;
  ({ target } = JSON.parse(text.split('\n', 1)[0]!) as { target: TargetFile });
}, 120_000);

afterAll(async () => {
  mock.kill();
  await once(mock, 'exit');
});

test('a version touches at most 12 files besides the generated ones', () => {
  expect(touchedFiles.length).toBeLessThanOrEqual(12);
});

test('the tests of documents and mock pass in the copy', () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const files = [
    'spec/versions',
    'spec/operations.test',
    'spec/coverage',
    'spec/requirements',
    'spec/elements',
    'spec/ruleset/values',
    'mock/testing/every-operation/valid-requests',
  ];
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--project', 'own', ...files], {
    cwd: copy,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/Tests .*passed/)]);
});

test('the mock keeps the rules of both versions, also those of the new operation', async () => {
  const rules = onlyThese('versions.*', 'errors.*', 'auth.*', 'accounts.*', 'resources.*', 'vpcs.*');
  const { code, out } = await inCopy('test', '--target', targetFile(target), '--allow', 'write', '--quick', ...rules);
  expect([out, code]).toEqual([expect.stringMatching(/ 0 failed/), 0]);
});

const isSecond = ({ headers }: ReceivedRequest): boolean => headers['svc-version'] === SECOND_VERSION;

/** What a server with the second version may get wrong: what it makes of a request, and the finding. */
const faults: Readonly<
  Record<string, readonly [change: (request: ReceivedRequest) => Partial<ReceivedRequest>, RegExp]>
> = {
  'returns the earliest form of a create': [
    ({ method, headers, body }) => (method === 'POST' ? inEarliestForm(headers, body) : {}),
    /metadata\.title/,
  ],
  'returns the earliest form of an update': [
    ({ method, headers, body }) => (method === 'PUT' ? inEarliestForm(headers, body) : {}),
    /PUT .*[^]*metadata\.title/,
  ],
  'returns the earliest form of a read': [
    ({ url, headers }) => (url.includes('/integrations/') ? { headers: without(headers) } : {}),
    /GET \/v0\/integrations[^]*addresses/,
  ],
  'has the earliest limits': [
    ({ body }) => ({ body: body.replace(/("name":".{40})[^"]*/, '$1') }),
    /expected +status 4xx/,
  ],
  'lacks its operation': [
    ({ url, headers }) => (/\/accounts\/[^/]*$/.test(url) ? { headers: without(headers) } : {}),
    /^failed GET \/accounts\/\{accountId\} is not implemented/m,
  ],
};

const without = ({ 'svc-version': _, ...headers }: ReceivedRequest['headers']) => headers;

const inEarliestForm = (headers: ReceivedRequest['headers'], body: string) => ({
  headers: without(headers),
  body: body.replace('"title"', '"displayName"'),
});

test.each(Object.entries(faults))('a server that %s fails', async (_, [change, finding]) => {
  const { origin } = new URL(target.addresses.management);
  await using server = await localServer(async (request) => {
    const { method, url, headers, body } = { ...request, ...(isSecond(request) && change(request)) };
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...kept
    } = headers as Record<string, string>;
    const response = await fetch(origin + url, { method, headers: kept, ...(body !== '' && { body }) });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, headers: { 'content-type': type }, body: await response.text() };
  });
  const file = targetFile({ ...target, addresses: { ...target.addresses, management: `${server.address}/v0` } });
  const rule = 'versions.listed.accepted-everywhere';
  const { code, out } = await inCopy('test', '--target', file, '--allow', 'write', '--patience', '1', '--only', rule);
  expect([out, code]).toEqual([expect.stringMatching(finding), 1]);
});

test('lint finds nothing wrong with the document of the second version', async () => {
  const document = path.join(copy, `spec/generated/management-${SECOND_VERSION}.json`);
  expect(await inCopy('lint', document)).toEqual({
    code: 0,
    out: expect.stringContaining('13 of 13 on management; 0 differences'),
  });
});

test('a comparison of both versions shows each change, breaking ones first', async () => {
  const folder = newFolder();
  const sent = onlyThese('createVpc', 'getVpc', 'listAgents', 'getAccount', 'getAccountMetrics');
  const words = ['--seed', '1', '--requests', '200', '--budget', '200', '--report', folder, ...sent];
  const { code, out } = await inCopy('compare', ...VERSIONS, targetFile(target), '--allow', 'write', ...words);
  expect([out, code]).toEqual([expect.stringContaining('displayName'), 1]);
  const { differences } = comparisonSchema.parse(JSON.parse(readFileSync(path.join(folder, 'compare.json'), 'utf8')));
  const kindOf = (each: (typeof differences)[number]): string =>
    `${each.class} ${each.operation} ${each.at.replace(/^.*\.(?=metadata)/, '')}`;
  const kinds = differences.map(kindOf).join('\n');
  for (const kind of [
    /^breaking createVpc metadata\.displayName$/m,
    /^breaking createVpc status$/m,
    /^breaking getAccountMetrics body\.data/m,
    /^compatible \w+ metadata\.title$/m,
    /^compatible getAccount operation$/m,
  ])
    expect(kinds).toMatch(kind);
  const classes = differences.map((each) => each.class);
  expect(classes).toEqual(classes.toSorted());
});
