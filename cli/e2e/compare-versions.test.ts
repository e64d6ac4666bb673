/** `assay compare --versions`, tried with a target that has a second version of the management API. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { comparisonSchema, type ReportedDifference } from '../../spec/formats/comparison.ts';
import { isFields } from '../../suites/json/fields.ts';
import { localServer, type LocalServer, type ReceivedRequest } from '../../suites/testing/local-server.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';

const [FIRST, SECOND] = ['2026-04-16', '2026-10-01'];
const VERSIONS = ['--versions', `${FIRST}..${SECOND}`];

/**
 * The second version returns `title` in place of `displayName`, adds `team` to metadata, has no filter `resourceType`, and accepts
 * at most ten labels.
 */
async function withSecondVersion(mock: RunningMock): Promise<LocalServer> {
  return localServer(async ({ method, url, headers, body }) => {
    const isSecond = headers['svc-version'] === SECOND;
    if (isSecond && url.includes('resourceType=')) return refusal('unknown parameter resourceType');
    if (isSecond && labelCountIn(body) > 10) return refusal('too many labels');
    const response = await forward(mock, { method, url, headers, body });
    const isJson = isSecond && response.status < 300 && response.type.includes('json') && response.text !== '';
    const text = isJson ? JSON.stringify(JSON.parse(response.text), asSecond) : response.text;
    return { status: response.status, headers: { 'content-type': response.type }, body: text };
  });
}

/** Without the version header. */
async function forward(
  { target }: RunningMock,
  { method, url, headers, body }: Omit<ReceivedRequest, 'rawHeaders' | 'port'>,
) {
  const names = ['svc-version', 'host', 'content-length', 'connection', 'transfer-encoding'];
  const kept = Object.entries(headers as Record<string, string>).filter(([name]) => !names.includes(name));
  const address = target.addresses.management.replace(/\/v0$/, '') + url;
  const response = await fetch(address, { method, headers: Object.fromEntries(kept), ...(body !== '' && { body }) });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

const refusal = (error: string) => ({ status: 400, body: { error, code: 400, message: error } });

function labelCountIn(body: string): number {
  const [, labels = ''] = /"labels":\{([^}]*)\}/.exec(body) ?? [];
  return labels.split('":').length - 1;
}

function asSecond(key: string, value: unknown): unknown {
  if (key !== 'metadata' || !isFields(value)) return value;
  const { displayName, ...rest } = value;
  return { ...rest, ...(displayName !== undefined && { title: displayName }), team: 'one' };
}

const fileOf = (mock: RunningMock, address: string, allow: 'read' | 'write'): string =>
  targetFile({ ...mock.target, addresses: { management: `${address}/v0` }, name: 'staging', allow });

function reported(folder: string): readonly ReportedDifference[] {
  const text = readFileSync(path.join(folder, 'compare.json'), 'utf8');
  return comparisonSchema.parse(JSON.parse(text)).differences;
}

test.each([
  ['read', /getAccountMetrics/],
  ['write', /create/],
] as const)('what a second version changes, breaking changes first (%s)', async (allow, refusedOperations) => {
  await using mock = await startMock();
  await using server = await withSecondVersion(mock);
  const folder = newFolder();
  const file = fileOf(mock, server.address, allow);
  const { code, out } = await run([
    'compare',
    ...VERSIONS,
    file,
    '--seed',
    '1',
    '--requests',
    '150',
    '--patience',
    '1',
    '--report',
    folder,
  ]);
  expect([out, code]).toEqual([expect.stringContaining(`staging (${FIRST}) and staging (${SECOND})`), 1]);
  const found = reported(folder);
  const classes = found.map((each) => each.class);
  expect(classes).toEqual([
    ...classes.filter((each) => each === 'breaking'),
    ...classes.filter((each) => each === 'compatible'),
  ]);
  const kinds = new Set(found.map((each) => `${each.class} ${each.at.replace(/^.*\.(?=metadata)/, '')}`));
  expect(kinds).toEqual(
    new Set([
      'breaking metadata.displayName',
      'breaking status',
      'compatible metadata.team',
      'compatible metadata.title',
    ]),
  );
  const refused = found.filter(({ at }) => at === 'status').map(({ operation }) => operation);
  expect(refused.join(' ')).toMatch(refusedOperations);
});

test('two versions that are the same have no difference, and neither side changes what it has not created', async () => {
  await using mock = await startMock();
  await using server = await localServer(async ({ method, url, headers, body }) => {
    // Without agents of its own, a run would change and restore the one of the target file.
    if (method === 'POST' && url === '/v0/agents') return refusal('no further agents');
    const { status, type, text } = await forward(mock, { method, url, headers, body });
    return { status, headers: { 'content-type': type }, body: text };
  });
  const file = fileOf(mock, server.address, 'write');
  const { code, out } = await run(['compare', ...VERSIONS, file, '--seed', '2', '--requests', '100']);
  expect([out, code]).toEqual([expect.stringContaining('No difference: '), 0]);
  const sent = new Set(
    server.received.filter(({ method }) => method !== 'DELETE').map(({ headers }) => headers['svc-version']),
  );
  expect([sent.has(FIRST), sent.has(SECOND)]).toEqual([true, true]);
  const changed = server.received.filter(({ method, url }) => method === 'PUT' && url.startsWith('/v0/agents/'));
  expect(changed.filter(({ url }) => !/\/assay-/.test(url))).toEqual([]);
});

test('2 for a version that the target refuses, and for a wrong use', async () => {
  await using mock = await startMock();
  const file = targetFile({ ...mock.target, name: 'staging', allow: 'write' });
  const { code, out } = await run(['compare', ...VERSIONS, file]);
  expect((await mock.requests({})).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect([out, code]).toEqual([expect.stringContaining(`--versions: staging refuses the version "${SECOND}"`), 2]);
  for (const words of [[file, file], [], ['a.har']])
    expect(await run(['compare', ...VERSIONS, ...words])).toEqual({
      code: 2,
      out: expect.stringContaining('pass one target file'),
    });
  for (const value of ['2026-04-16', '2026-04-16..v2', '2026-04-16..2026-04-16'])
    expect(await run(['compare', '--versions', value, file])).toEqual({
      code: 2,
      out: expect.stringContaining('two different versions, such as'),
    });
  expect(await run(['compare', ...VERSIONS, '--mock', file])).toMatchObject({ code: 2 });
});

test('--plan counts the operations that have versions', async () => {
  await using mock = await startMock();
  const file = targetFile({ ...mock.target, name: 'staging', allow: 'write' });
  const { code, out } = await run(['compare', ...VERSIONS, file, '--plan', '--requests', '30']);
  expect([out, code]).toEqual([expect.stringContaining(`staging (${FIRST}) and staging (${SECOND}), allow: write`), 0]);
  expect(out).toMatch(/^ +\d+  \w+ \/agents/m);
  expect(out).not.toContain('/filesystem/');
});
