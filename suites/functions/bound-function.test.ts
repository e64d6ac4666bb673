import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { callBound } from './bound-function.ts';

const initialized = (more: object = { result: {} }): LocalResponse => ({ body: { jsonrpc: '2.0', id: 1, ...more } });
const statusRead = (status: string): LocalResponse => ({ body: { metadata: {}, spec: {}, status } });
const missing: LocalResponse = { status: 404, body: { error: 'not_found' } };
const page: LocalResponse = { headers: { 'Content-Type': 'text/html' }, body: '<h1>It works!</h1>' };

interface Case {
  readonly read?: LocalResponse;
  /** Responses to initialize, in order. The last one repeats. */
  readonly responses: readonly LocalResponse[];
  readonly seconds?: number;
}

async function actualOf({ read = statusRead('DEPLOYED'), responses, seconds = 0 }: Case): Promise<string[]> {
  let request = 0;
  const response = ({ method }: ReceivedRequest): LocalResponse =>
    method === 'GET' ? read : (responses[Math.min((request += 1), responses.length) - 1] ?? missing);
  await using server = await localServer(response);
  const run = openTestRun({ address: server.address });
  const input = { body: { metadata: { name: 'bound' }, spec: {} } };
  const { mismatches } = await callBound(run, { input, name: 'bound', deploymentSeconds: 0, seconds });
  return mismatches.map(({ actual }) => actual);
}

const refused: LocalResponse = {
  status: 400,
  body: { jsonrpc: '2.0', id: 1, error: { code: -32_022, message: 'no', data: { supported: ['2026-07-28'] } } },
};

test.each<[string, Case]>([
  ['a function of version 2026-07-28', { responses: [refused, initialized()] }],
  ['a function that initializes', { responses: [initialized()] }],
  ['one that initializes with an error', { responses: [initialized({ error: { code: -32_602, message: 'no' } })] }],
  ['one that is temporarily unavailable', { responses: [{ status: 503 }] }],
  ['one that fails because of its connection', { responses: [{ status: 500 }] }],
  ['one that is still being built', { read: statusRead('BUILDING'), responses: [missing] }],
  ['one being built whose endpoint returns a page', { read: statusRead('BUILDING'), responses: [page] }],
  ['one that failed', { read: statusRead('FAILED'), responses: [missing] }],
  ['one that cannot be read', { read: { status: 404 }, responses: [missing] }],
  ['one that has no endpoint', { responses: [missing] }],
  ['one whose server starts a little later', { responses: [page, initialized()], seconds: 20 }],
])('%s does not break the rule', async (_, input) => {
  expect(await actualOf(input)).toEqual([]);
});

test.each<[string, Case, string]>([
  ['that returns 200 with a page', { responses: [page] }, 'none in status 200, text/html'],
  [
    'of version 2026-07-28 that returns 200 with a page',
    { responses: [refused, page] },
    'none in status 200, text/html',
  ],
  [
    'that responds to another request',
    { responses: [initialized({ id: 2 })] },
    'a response with the id 2 in status 200, application/json',
  ],
])('a function %s breaks the rule', async (_, input, actual) => {
  expect(await actualOf(input)).toEqual([actual]);
});
