import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { callBound } from './bound-function.ts';

const initialized = (more: object = { result: {} }): LocalResponse => ({ body: { jsonrpc: '2.0', id: 1, ...more } });
const told = (status: string): LocalResponse => ({ body: { metadata: {}, spec: {}, status } });
const missing: LocalResponse = { status: 404, body: { error: 'not_found' } };
const page: LocalResponse = { headers: { 'Content-Type': 'text/html' }, body: '<h1>It works!</h1>' };

interface Case {
  readonly read?: LocalResponse;
  /** The last one again and again. */
  readonly answers: readonly LocalResponse[];
  readonly seconds?: number;
}

async function actualOf({ read = told('DEPLOYED'), answers: responses, seconds = 0 }: Case): Promise<string[]> {
  let request = 0;
  const response = ({ method }: ReceivedRequest): LocalResponse =>
    method === 'GET' ? read : (responses[Math.min((request += 1), responses.length) - 1] ?? missing);
  await using server = await localServer(response);
  const run = openTestRun({ address: server.address });
  const input = { body: { metadata: { name: 'bound' }, spec: {} } };
  const { mismatches } = await callBound(run, { input, name: 'bound', deploymentSeconds: 0, seconds });
  return mismatches.map(({ actual }) => actual);
}

test.each<[string, Case]>([
  ['a function that initialises', { answers: [initialized()] }],
  ['one that initialises with an error', { answers: [initialized({ error: { code: -32_602, message: 'no' } })] }],
  ['one that does not serve just then', { answers: [{ status: 503 }] }],
  ['one that its connection breaks', { answers: [{ status: 500 }] }],
  ['one that is still being built', { read: told('BUILDING'), answers: [missing] }],
  ['one in whose place a page says so', { read: told('BUILDING'), answers: [page] }],
  ['one that failed', { read: told('FAILED'), answers: [missing] }],
  ['one that cannot be read', { read: { status: 404 }, answers: [missing] }],
  ['one that has no endpoint', { answers: [missing] }],
  ['one whose server comes a little later', { answers: [page, initialized()], seconds: 20 }],
])('%s breaks nothing', async (_, given) => {
  expect(await actualOf(given)).toEqual([]);
});

test.each<[string, Case, string]>([
  ['answers 200 with a page', { answers: [page] }, 'none in status 200, text/html'],
  ['answers another request', { answers: [initialized({ id: 2 })] }, 'none in status 200, application/json'],
])('a function that %s breaks the rule', async (_, given, actual) => {
  expect(await actualOf(given)).toEqual([actual]);
});
