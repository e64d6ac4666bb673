/** Which responses of a run the oracle validates, and what a case reports about its findings. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import type { UncheckedCounts } from '../../spec/oracle.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import { openRun } from './open-run.ts';
import type { OpenRun } from './open-run.ts';
import { runCase } from './run-case.ts';
import type { Case } from './run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { ADMIN, testTarget } from '../testing/test-run.ts';

const prism = await readByPrism();
const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'assay-oracle-'));
const exchangesFile = path.join(newFolder(), 'exchanges.ndjson');

const rule = requirement('metrics.group-by.at-most-three');
const tryOn = ({ context }: OpenRun, tries: Case['try']) => runCase({ rule, try: tries }, context);

interface With {
  file?: string;
  operations?: readonly OperationId[];
  /** How the reader differs from Prism. */
  overrides?: Partial<PrismReader>;
}

type TestResponse = LocalResponse | 'break' | (() => LocalResponse);

async function withRun<T>(
  response: TestResponse,
  use: (run: OpenRun) => Promise<T>,
  { file, operations, overrides = {} }: With = {},
): Promise<T> {
  await using server = await localServer(typeof response === 'function' ? response : () => response);
  const admin = { value: ADMIN, name: 'SVC_ADMIN_TOKEN' };
  const member = { value: 'marked-member-secret', name: 'SVC_MEMBER_TOKEN' };
  const given = { credentials: { admin, member, scoped: {} }, ...(operations && { operations }) };
  const target = testTarget({ address: server.address, allow: 'write', target: given });
  const written = file === undefined ? {} : { exchangesFile: file };
  const ledgerFile = path.join(newFolder(), 'ledger.ndjson');
  const run = openRun(
    { target, seed: 1, runs: 1, runId: 'test', oracle: 'prism', ledgerFile, ...written },
    { ...prism, ...overrides },
  );
  try {
    return await use(run);
  } finally {
    await run.close();
  }
}

const tallyOf = (response: TestResponse, tries: Case['try'], overrides: Partial<PrismReader> = {}) =>
  withRun(response, async (run) => (await tryOn(run, tries)).oracle, { overrides });

test('a valid response is checked without findings', async () => {
  const values = { values: ['workspace'] };
  const tally = await tallyOf({ body: values }, async (run) => void (await run.client.call('listMetricsGroupBy')));
  expect(tally).toMatchObject({ checked: 1, nothingToSay: 0, leftOut: {}, misfits: [] });
});

test('a response of an operation that is not declared shows nothing', async () => {
  const tally = await withRun(
    { body: { values: 7 } },
    async (run) => (await tryOn(run, async ({ client }) => void (await client.call('listMetricsGroupBy')))).oracle,
    { operations: ['createVpc'] },
  );
  expect(tally).toMatchObject({ checked: 0, leftOut: { 'its operation is not selected': 1 }, misfits: [] });
});

test('an invalid response is reported once with its count, both findings and a curl line', async () => {
  const tally = await tallyOf({ body: { values: 7 } }, async (run) => {
    for (const header of ['1', '2', '3'])
      await run.client.call('listMetricsGroupBy', { headers: { 'X-Test': header } });
  });
  expect(tally?.misfits).toMatchObject([
    {
      readers: 'both',
      operation: 'listMetricsGroupBy',
      status: 200,
      count: 3,
      example: {
        requirement: rule.id,
        ours: [{ at: '/values' }],
        prism: [{ at: '/values', says: 'Response body property values must be array' }],
      },
    },
  ]);
  expect(tally?.misfits[0]?.example.curl).toContain('$SVC_ADMIN_TOKEN');
});

test('a finding of only one validator is reported as such', async () => {
  const tally = await tallyOf(
    { body: { values: 7 } },
    async ({ client }) => void (await client.call('listMetricsGroupBy')),
    { responseFindings: () => [] },
  );
  expect(tally?.misfits.map(({ readers }) => readers)).toEqual(['ours']);
});

test('both validators reject an empty body if one is documented', async () => {
  const tally = await tallyOf({}, async (run) => void (await run.client.call('listMetricsGroupBy')));
  expect(tally?.misfits.map(({ readers }) => readers)).toEqual(['both']);
});

test.each<[string, LocalResponse, Case['try']]>([
  ['a success of any shape', { body: [] }, async ({ client }) => void (await client.call('listAccounts'))],
  ['an error of any shape', { status: 400, body: 7 }, async ({ client }) => void (await client.call('listAccounts'))],
  ['an error without a body', { status: 400 }, async ({ client }) => void (await client.call('listAccounts'))],
  [
    'a gateway in front of a sandbox',
    { status: 502, body: { error: 'a' } },
    async ({ client }) => void (await client.call('readTree', { path: { path: 'a' } })),
  ],
])('%s is counted, but not checked', async (_, response, tries) => {
  expect(await tallyOf(response, tries)).toMatchObject({ checked: 0, nothingToSay: 1, misfits: [] });
});

const denied: Case['try'] = async (run) =>
  void (await run.as('member').call('getAccountMetrics', { query: { groupBy: 'resource_type,workspace' } }));
const refused: Case['try'] = async ({ client }) =>
  void (await client.call('getIntegration', { path: { integrationName: 'a' } }));

test.each<[string, LocalResponse, Case['try'], string, string]>([
  [
    'an unknown version',
    { status: 400, body: { error: 'invalid_api_version' } },
    refused,
    'errors.version.body-shape',
    '/message',
  ],
  [
    'a caller without the role',
    { status: 403, body: { message: 'Denied' } },
    denied,
    'metrics.roles.group-by-workspace-admin-only',
    '/message',
  ],
])('the error of %s is validated against its own schema', async (_, response, tries, promised, at) => {
  const tally = await tallyOf(response, tries);
  expect(tally).toMatchObject({ checked: 1, misfits: [{ readers: 'both', promised, example: { ours: [{ at }] } }] });
});

test.each<[string, LocalResponse, Case['try']]>([
  ['of an unknown version', { status: 400, body: { error: 'invalid_api_version', message: 'm', more: 1 } }, refused],
  ['of a caller without the role', { status: 403, body: { message: 'Access denied', code: 403 } }, denied],
])('the error %s matches its own schema', async (_, response, tries) => {
  expect(await tallyOf(response, tries)).toMatchObject({ checked: 1, misfits: [] });
});

test('a refusal of a caller who may be an admin can have any body', async () => {
  const request: Case['try'] = async ({ client }) =>
    void (await client.call('getAccountMetrics', { query: { workspace: 'a' } }));
  expect(await tallyOf({ status: 403, body: {} }, request)).toMatchObject({ checked: 0, nothingToSay: 1, misfits: [] });
});

test('misfits of different fields are separate and name the rules of their fields', async () => {
  const bodies = [{ status: 'READY' }, { events: {} }];
  const tally = await tallyOf(
    () => ({ body: { metadata: { name: 'a' }, spec: {}, ...bodies.shift() } }),
    async ({ client }) => {
      for (const _ of [1, 2]) await client.call('updateAgent', { path: { agentName: 'a' }, body: {} });
    },
  );
  const named = tally?.misfits.filter(({ of }) => of === 'answer').map(({ promised, rules }) => [promised, ...rules]);
  expect(named).toEqual([
    ['resources.shapes.fit-the-schema', 'resources.status.known-value'],
    ['resources.shapes.fit-the-schema', 'resources.events.record-shape'],
  ]);
});

test.each([null, false, 0, ''])(
  'a request with the body %j is not validated, because Prism treats it as missing',
  async (body) => {
    const response = { body: { metadata: { name: 'a' }, spec: {} } };
    const tally = await tallyOf(
      response,
      async ({ client }) => void (await client.call('updateAgent', { path: { agentName: 'a' }, body })),
    );
    expect(tally).toMatchObject({ requests: 0, misfits: [] });
  },
);

const raw =
  (body: string): Case['try'] =>
  async (run) =>
    void (await run.client.send({ surface: 'management', method: 'POST', path: '/vpcs', body }));

test.each<[keyof UncheckedCounts, LocalResponse | 'break', Case['try']]>([
  ['the request is of no operation', { body: {} }, raw('{}')],
  ['the request is malformed JSON', { body: {} }, raw('{"metadata":')],
  ['the answer is no JSON', { body: '<html>' }, async (run) => void (await run.client.call('listMetricsGroupBy'))],
  ['no answer came', 'break', async (run) => void (await run.client.call('createVpc', { body: {} }).catch(() => {}))],
  ['a message of MCP', { body: {} }, async (run) => void (await run.client.call('getSandboxMcp'))],
  [
    'a stream',
    { body: '"a.txt"\n' },
    async (run) => {
      const stream = await run.client.open('watchDirectory', { path: { path: 'a' } });
      await stream.until(() => false, 5);
      await stream.close();
    },
  ],
])('skipped and counted: %s', async (reason, response, tries) => {
  expect(await tallyOf(response, tries)).toMatchObject({
    checked: 0,
    nothingToSay: 0,
    leftOut: { [reason]: 1 },
    misfits: [],
  });
});

test.each<[string, object, Partial<PrismReader>, object]>([
  [
    'that is valid is checked by both validators',
    { metadata: { name: 'a' }, spec: {} },
    {},
    { requests: 1, misfits: [] },
  ],
  ['that both validators reject is not reported', { metadata: 7 }, {}, { requests: 1, misfits: [] }],
  [
    'that only one validator rejects is reported',
    { metadata: 7 },
    { requestFindings: () => [] },
    { requests: 1, misfits: [{ of: 'request', readers: 'ours', operation: 'updateAgent' }] },
  ],
])('a request %s', async (_, body, overrides, expected) => {
  const response = { body: { metadata: { name: 'a' }, spec: {} } };
  const call: Case['try'] = async ({ client }) =>
    void (await client.call('updateAgent', { path: { agentName: 'a' }, body }));
  expect(await tallyOf(response, call, overrides)).toMatchObject(expected);
});

test('only the first case of a run reports the self-check', async () => {
  const tallies = await withRun({ body: [] }, async (run) => [
    (await tryOn(run, async () => {})).oracle,
    (await tryOn(run, async () => {})).oracle,
  ]);
  expect(tallies.map((tally) => tally?.canaries)).toEqual([prism.canaries, undefined]);
});

test('findings are written with the exchange, without secrets', async () => {
  const body = { metadata: { name: 'a', labels: { [ADMIN]: 1 } }, spec: {} };
  const tally = await withRun(
    { body },
    async (run) =>
      (await tryOn(run, async ({ client }) => void (await client.call('getVpc', { path: { vpcName: 'a' } })))).oracle,
    { file: exchangesFile },
  );
  const text = readFileSync(exchangesFile, 'utf8');
  const { oracle = [], findings } = JSON.parse(text) as ExchangeRecord;
  expect([oracle, findings].map(({ length }) => length)).toEqual([1, 1]);
  expect(tally?.misfits).toHaveLength(1);
  for (const written of [text, JSON.stringify(tally)]) expect(written).not.toContain(ADMIN);
});
