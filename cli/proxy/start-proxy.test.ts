/** The suites find through the proxy what they find without it: streams, MCP and chat pass as they come. */
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningMock } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { adminOnlyOf } from './admin-only.ts';
import { secretsOf } from './secrets.ts';
import type { RunningProxy } from './start-proxy.ts';
import { startProxy, targetOfProxy } from './start-proxy.ts';
import type { Tally } from './tally.ts';
import { newTally } from './tally.ts';

let mock: RunningMock;
let proxy: RunningProxy;
let printed = '';
let tally: Tally;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
  tally = newTally();
  const print = (text: string): void => void (printed += text);
  const watching = {
    reader: await readByPrism(),
    secrets: secretsOf(mock.target, {}),
    adminOnly: adminOnlyOf(mock.target, {}),
    tally,
    print,
  };
  proxy = await startProxy(mock.target.addresses, { port: 0, host: '127.0.0.1' }, watching);
});
afterAll(async () => {
  await proxy.close();
  await mock.close();
});

const selected = [
  'auth.data-plane.credential-required',
  'inference.agents.threads-separate',
  'inference.models.chat-completions',
  'mcp.functions.listed-tools-callable',
  'mcp.functions.speaks-streamable-http',
  'mcp.sandboxes.speaks-streamable-http',
  'sandbox.tree.nested-directories',
  'sandbox.watch.every-write-a-line',
  'sandbox.watch.watchers-independent',
] as const;

test('rules of every kind of exchange hold through it, and no exchange violates the documents', async () => {
  const outcomes = await runOnTarget({ ...targetOfProxy(mock.target, proxy), allow: 'write' }, { selected });
  expect(outcomes.filter(({ result }) => result.verdict !== 'passed').map(({ result }) => result)).toEqual([]);
  expect(new Set(outcomes.map(({ result }) => result.id))).toEqual(new Set(selected));
  expect(printed).not.toContain('Violation by the target');
  expect({ ...tally, operations: tally.operations.size > 5 }).toMatchObject({
    operations: true,
    unanswered: 0,
    proxyErrors: 0,
  });
});

test('clients learn the target behind it, also through two proxies', () => {
  const first = targetOfProxy(mock.target, proxy);
  expect(first).toMatchObject({ addresses: proxy.addresses, standsFor: mock.target.addresses.management });
  expect(targetOfProxy(first, proxy).standsFor).toBe(mock.target.addresses.management);
});

describe('its addresses', () => {
  test('map to those of the target, one listener per origin', () => {
    const { management = '', host = '', inference = '', sandbox = '' } = proxy.addresses;
    expect(management).toBe(`${host}/v0`);
    expect(inference).toBe(host);
    expect(new URL(sandbox).host).not.toBe(new URL(host).host);
    expect(proxy.through(`${mock.addresses.host}/oauth/token?x=1`)).toBe(`${host}/oauth/token?x=1`);
    expect(proxy.through('https://elsewhere.example/a')).toBe('https://elsewhere.example/a');
  });

  test('rejects other host names, so that web pages cannot reach the mock behind it', async () => {
    const { hostname, port } = new URL(proxy.addresses.host ?? '');
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        http
          .get({ hostname, port, path: '/_mock/target', headers: { host }, agent: false }, ({ statusCode }) =>
            resolve(statusCode),
          )
          .on('error', reject);
      });
    expect([await status(`evil.example:${port}`), await status(`localhost:${port}`)]).toEqual([403, 200]);
  });
});
