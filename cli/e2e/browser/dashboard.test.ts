/** Drives the page of fixtures/dashboard, which knows only the API, against a mock: failures, retries and error states. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../../mock/start-mock.ts';
import { axeViolations, noBrowser, visit, type Visit } from '../testing/page-test.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const folder = path.join(import.meta.dirname, '../../../fixtures/dashboard');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

let site: Server;
let mock: RunningMock;
let dashboard: Visit;

beforeAll(async () => {
  site = createServer((request, response) => void sendFile(request, response));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const world = {
    extends: 'default' as const,
    deploy: { failures: [{ resource: 'agents/flaky', at: 'building' as const, times: 1, message: 'npm ci failed' }] },
    tasks: [{ job: 'shards', arguments: { shard: 2 }, failures: 1, message: 'the shard was locked' }],
  };
  mock = await startMock({ now: NOW, clock: 'frozen', world });
});
beforeEach(async () => {
  await mock.reset();
  await manage('POST', '/jobs', { metadata: { name: 'shards' }, spec: { retries: 2 } });
  await mock.clock.advance('1m');
  await mock.deleteRequests();
  dashboard = await open();
});
afterEach(() => dashboard[Symbol.asyncDispose]());
afterAll(async () => {
  await mock.close();
  site.close();
});

async function sendFile({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = url === '/' ? 'index.html' : path.basename(String(url));
  response.writeHead(200, { 'content-type': types[path.extname(name)] }).end(await readFile(path.join(folder, name)));
}

async function manage(method: string, url: string, body: object): Promise<void> {
  const headers = {
    authorization: `Bearer ${mock.target.credentials.admin.value}`,
    'content-type': 'application/json',
  };
  const response = await fetch(mock.addresses.management + url, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

async function open(differs: Readonly<Record<string, string>> = {}): Promise<Visit> {
  const { management, host } = mock.addresses;
  const settings = new URLSearchParams({
    management,
    host,
    account: 'acc-demo',
    workspace: 'demo',
    token: mock.target.credentials.admin.value,
    start: '2026-11-01T00:00:00Z',
    end: '2026-11-02T00:00:00Z',
    ...differs,
  });
  const opened = await visit(`http://127.0.0.1:${(site.address() as AddressInfo).port}/#${settings.toString()}`);
  await says(opened.page, /^(?!Loading)./);
  return opened;
}

const says = (page: Page, text: RegExp | string) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();
const message = () => dashboard.page.locator('#message').textContent();
const press = (name: string) => dashboard.page.getByRole('button', { name, exact: true }).click();
const agent = (name: string) => dashboard.page.getByRole('listitem').filter({ hasText: name });
const total = async (): Promise<number> => Number((await dashboard.page.locator('#total').textContent())?.slice(1));

describe.skipIf(noBrowser)('the dashboard', () => {
  test('is accessible and logs no error', async () => {
    expect(await axeViolations(dashboard.page)).toEqual([]);
    expect(dashboard.errors).toEqual([]);
  });

  test('shows a total that rises with each execution', async () => {
    const before = await total();
    await manage('PUT', '/jobs/shards', { metadata: { name: 'shards' }, spec: { runtime: { memory: 65_536 } } });
    await mock.clock.advance('1m');
    await dashboard.page.getByRole('textbox', { name: 'Job' }).fill('shards');
    await dashboard.page.getByLabel('Shards').fill('10');
    await press('Run the job');
    await says(dashboard.page, 'Up to date.');
    await mock.clock.advance('1h');
    await press('Refresh billing');
    await expect.poll(total).toBeGreaterThan(before);
    await dashboard.page.getByRole('row', { name: /^job_compute_runtime_gbs/ }).waitFor();
    await mock.verify({ requests: [{ operation: 'createJobExecution', times: 1, body: { tasks: tenShards } }] });
  });

  test('shows why a deployment failed, and deploys it again', async () => {
    await manage('POST', '/agents', { metadata: { name: 'flaky', labels: { team: 'a' } }, spec: {} });
    await mock.clock.advance('1m');
    await press('Refresh deployments');
    await agent('flaky: FAILED (npm ci failed)').waitFor();
    await expect.poll(() => dashboard.page.getByRole('button', { name: /^Retry/ }).count()).toBe(1);
    await press('Retry flaky');
    await agent('flaky: UPLOADING').waitFor();
    await mock.clock.advance('1m');
    await press('Refresh deployments');
    await agent('flaky: DEPLOYED').waitFor();
    const body = { metadata: { name: 'flaky', labels: { team: 'a' } } };
    await mock.verify({ requests: [{ operation: 'updateAgent', times: 1, body }] });
  });

  test('shows a deployment that a test fails', async () => {
    await mock.endDeployment('agents/demo-agent', { status: 'FAILED', message: 'out of memory' });
    await press('Refresh deployments');
    await agent('demo-agent: FAILED (out of memory)').waitFor();
    await expect.poll(() => message()).toBe('Up to date.');
  });

  test('shows the attempts of a task that is retried', async () => {
    await dashboard.page.getByRole('textbox', { name: 'Job' }).fill('shards');
    await dashboard.page.getByLabel('Shards').fill('2');
    await press('Run the job');
    await says(dashboard.page, 'Up to date.');
    await mock.clock.advance('1m');
    await press('Refresh the execution');
    await dashboard.page.getByText('SUCCEEDED, 2 attempts, the shard was locked').waitFor();
    await expect.poll(() => dashboard.page.locator('#execution').textContent()).toBe('SUCCEEDED');
  });

  test('tries again after a 429 with Retry-After', async () => {
    // Requests of opening the page would be counted.
    await expect.poll(message).toBe('Up to date.');
    const refused = { status: 429, headers: { 'Retry-After': '0' } };
    await mock.responses.set([{ match: { operation: 'listAgents' }, sequence: [refused], afterwards: 'operation' }]);
    await mock.deleteRequests();
    await press('Refresh deployments');
    await expect.poll(message).toBe('Up to date.');
    await mock.verify({
      requests: [
        { operation: 'listAgents', status: '429', times: 1 },
        { operation: 'listAgents', status: '200', times: 1 },
      ],
      inOrder: true,
    });
  });

  test.each([
    [{ status: 401 }, 'You are signed out. Sign in again.'],
    [{ status: 403 }, 'Your role does not allow this.'],
    [{ status: 429 }, 'Too many requests. Try again later.'],
    [{ status: 503 }, 'The service is not available. Try again later.'],
    [{ status: 418, body: 'teapot' }, 'The request failed (418).'],
    [{ cut: 'before' }, 'The service cannot be reached.'],
    [
      { status: 200, body: [], cut: 'during' },
      /^The (?:service cannot be reached|response of the service is incomplete)\.$/,
    ],
    [{ brokenJson: true }, 'The response of the service is incomplete.'],
  ] as const)('says what went wrong: %j', async (response, sentence) => {
    await mock.responses.set([{ match: { operation: 'listAgents' }, sequence: [{ ...response }] as never }]);
    await press('Refresh deployments');
    await expect.poll(message).toMatch(sentence);
  });

  test('shows that a response is awaited, and no usage in a window without any', async () => {
    await mock.responses.set([
      { match: { operation: 'listAgents' }, sequence: [{ bytesPerSecond: 100_000, delayMs: 300 }] },
    ]);
    await press('Refresh deployments');
    await says(dashboard.page, 'Loading deployments…');
    await says(dashboard.page, 'Up to date.');
    await using empty = await open({ start: '1999-01-01T00:00:00Z', end: '1999-01-02T00:00:00Z' });
    await expect.poll(() => empty.page.locator('#total').textContent()).toBe('no usage');
  });
});

const tenShards = Array.from({ length: 10 }, (_, shard) => ({ shard: shard + 1 }));
