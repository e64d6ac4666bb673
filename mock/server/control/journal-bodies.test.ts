import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { EntryView } from './views.ts';
import { redactSecrets } from './redact.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';
import { connect, functionPath } from '../../testing/mcp-client.ts';

let mock: RunningMock;
let token: string;
const manageIt = (method: string, path: string, body?: unknown) =>
  callManagement(mock.addresses.host, token, method, path, body);
const entries = async () =>
  ((await callControl(mock.addresses.host, 'GET', '/requests')).body as { requests: EntryView[] }).requests;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
  token = mock.target.credentials.admin.value;
});
afterEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

test('an entry contains the request body and the response body', async () => {
  await manageIt('POST', '/vpcs', { metadata: { name: 'net' }, spec: {} });
  const [entry] = await entries();
  expect(JSON.parse(entry?.body?.text ?? '')).toEqual({ metadata: { name: 'net' }, spec: {} });
  expect(JSON.parse(entry?.answer?.text ?? '')).toMatchObject({ metadata: { name: 'net' }, status: 'DEPLOYING' });
});

test('an entry of an error has its message, from the error format of each surface', async () => {
  const { host } = mock.addresses;
  await manageIt('GET', '/agents/nobody');
  await fetch(`${host}/sandbox/demo/nobody/filesystem-multipart`, { headers: { authorization: `Bearer ${token}` } });
  await fetch(`${host}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'wish' }) });
  const reasons = (await entries()).map(({ reason }) => reason);
  expect(reasons).toEqual([
    'Agent "nobody" does not exist.',
    expect.stringContaining('"nobody"'),
    expect.stringMatching(/client|wish/),
  ]);
});

test('long request and response bodies are truncated', async () => {
  const labels = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`label-${index}`, 'ä'.repeat(20)]));
  await manageIt('POST', '/vpcs', { metadata: { name: 'net', labels }, spec: {} });
  const [entry] = await entries();
  expect([entry?.body?.cut, entry?.answer?.cut]).toEqual([true, true]);
  expect([entry?.body?.text.length, entry?.answer?.text.length]).toEqual([4000, 4000]);
});

test('the secret of a connection and secret variables are redacted', async () => {
  await manageIt('POST', '/integrations/connections', {
    metadata: { name: 'mail' },
    spec: {
      integration: 'google-mail',
      secret: { CLIENT_ID: 'hush-1', CLIENT_SECRET: 'hush-2', REFRESH_TOKEN: 'hush-3' },
    },
  });
  const envs = [
    { name: 'A', value: 'hush-4', secret: true },
    { name: 'B', value: 'visible' },
  ];
  await manageIt('PUT', '/agents/demo-agent', { metadata: { name: 'demo-agent' }, spec: { runtime: { envs } } });
  const text = JSON.stringify(await entries());
  expect(text).not.toContain('hush');
  expect(text).toContain('visible');
});

test('issued tokens and the client secret of a token request are redacted', async () => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  });
  const response = await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', body: form });
  const { access_token: given } = (await response.json()) as { access_token: string };
  const text = JSON.stringify(await entries());
  expect(text).not.toContain(given);
  expect(text).not.toContain('demo-secret');
  expect(text).toContain('client_credentials');
});

test.each([
  ['{"secret":{"A":"hush","B":"hu}sh"},"name":"n"', 'n'],
  ['{"envs":[{"name":"n","value":"hush', 'n'],
  ['{"a":{"b":{"client_secret":"hu\\"sh","c":"n"', 'n'],
  ['{"password" : "hush', ''],
  ['{"token":["hush","hush"],"b":"n"', 'n'],
])('secrets in the truncated body %s are redacted', (text, stays) => {
  const redacted = redactSecrets(text);
  expect(redacted).not.toMatch(/hu.{0,2}sh/);
  expect(redacted).toContain(stays);
});

test('an entry has no response body if the connection was cut, and half of it if the JSON was broken', async () => {
  const rules = [
    { operation: 'listAgents', cut: 'before' },
    { operation: 'getAgent', brokenJson: true },
  ];
  await changeMock(mock.addresses.host, 'PUT', '/faults', { rules });
  await expect(manageIt('GET', '/agents')).rejects.toThrow('fetch failed');
  await expect(manageIt('GET', '/agents/demo-agent')).rejects.toThrow(SyntaxError);
  const [cut, broken] = await entries();
  expect(cut).toMatchObject({ status: null, answer: null });
  expect(broken?.answer?.text).toMatch(/^\{"metadata":/);
  expect(() => JSON.parse(broken?.answer?.text ?? '')).toThrow(SyntaxError);
});

test('the results of tools are visible, also those that a session receives as a stream', async () => {
  await using connected = await connect(mock, functionPath);
  await connected.client.callTool({ name: 'get_weather', arguments: { city: 'Rome' } });
  const call = (await entries()).find(({ body }) => body?.text.includes('tools/call'));
  expect(call).toMatchObject({
    status: 200,
    answer: { text: expect.stringContaining('21 °C and sunny.'), cut: false },
  });
});

test('secrets in events are redacted by name, and long streams are truncated', async () => {
  expect(redactSecrets('id: 1\ndata: {"token":"hush","value":"seen"}\n\ndata: {"password":"hu')).toBe(
    'id: 1\ndata: {"token":"[redacted]","value":"seen"}\n\ndata: {"password":"[redacted]"',
  );
  await using connected = await connect(mock, functionPath);
  const long = 'x'.repeat(10_000);
  await connected.client.callTool({ name: 'echo', arguments: { text: long } });
  const call = (await entries()).find(({ body }) => body?.text.includes('tools/call'));
  expect(call?.answer).toMatchObject({ cut: true, text: expect.stringMatching(/^.{4000}$/s) });
});

test('a watch is recorded while it is open', async () => {
  const box = `${mock.addresses.host}/sandbox/demo/demo-box`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const watch = await fetch(`${box}/watch/filesystem/app`, { headers });
  const write = { method: 'PUT', headers, body: JSON.stringify({ files: { 'a.txt': 'a' } }) };
  await fetch(`${box}/filesystem/tree/app`, write);
  const reader = watch.body?.getReader();
  await reader?.read();
  expect((await entries())[0]?.answer).toEqual({ text: '/app/a.txt\n', cut: false });
  await reader?.cancel();
});
