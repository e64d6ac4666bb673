import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';
import { begin, bearer, request, sandboxPath, functionPath, send } from '../../testing/mcp-client.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ seed: 5, clock: 'frozen' });
});
beforeEach(async () => {
  await changeMock(mock.addresses.host, 'POST', '/reset');
});
afterAll(() => mock.close());

const advance = () => callControl(mock.addresses.host, 'PUT', '/clock', { advanceMs: 1000 });
const managed = (method: string, path: string, body?: unknown) =>
  callManagement(mock.addresses.host, mock.target.credentials.admin.value, method, path, body);

function callSandbox(path: string, files?: Record<string, string>, name = 'demo-box'): Promise<Response> {
  const url = `${mock.addresses.host}/sandbox/demo/${name}${path}`;
  if (files === undefined) return fetch(url, { headers: bearer(mock) });
  const headers = { ...bearer(mock), 'content-type': 'application/json' };
  return fetch(url, { method: 'PUT', headers, body: JSON.stringify({ files }) });
}

test('a sandbox serves once deployed; before that it returns an error in its own format', async () => {
  await managed('POST', '/sandboxes', { metadata: { name: 'fresh' }, spec: {} });
  const early = await callSandbox('/filesystem/tree/app', undefined, 'fresh');
  const error = 'Sandbox "fresh" is UPLOADING; it serves requests when it is DEPLOYED.';
  expect([early.status, await early.json()]).toEqual([503, { error }]);
  await advance();
  expect((await callSandbox('/filesystem/tree/app', undefined, 'fresh')).status).toBe(200);
});

test('a watch stream ends when its sandbox is deleted', async () => {
  const watch = await callSandbox('/watch/filesystem/app');
  await managed('DELETE', '/sandboxes/demo-box');
  expect(await watch.text()).toBe('');
});

test.each([
  ['/sandboxes/demo-box', sandboxPath],
  ['/functions/demo-tools', functionPath],
])('the MCP sessions and streams of a deleted %s end', async (resource, path) => {
  const session = await begin(mock, path);
  const listening = await send(mock, { method: 'GET', path, headers: session });
  expect([listening.status, mock.world.mcp.sessions()]).toEqual([200, 1]);
  await managed('DELETE', resource);
  await listening.text();
  expect(mock.world.mcp.sessions()).toBe(0);
  expect((await send(mock, { path, headers: session, body: request(1, 'ping') })).status).toBe(503);
});

test('files of a deleted sandbox are removed, also from snapshots', async () => {
  await callSandbox('/filesystem/tree/app', { 'kept.txt': 'A' });
  const inside = async () => {
    const { body } = await callControl(mock.addresses.host, 'GET', '/snapshot');
    return Object.keys((body as { sandboxes: object }).sandboxes);
  };
  expect(await inside()).toContain('demo/demo-box');
  await managed('DELETE', '/sandboxes/demo-box');
  expect(await inside()).not.toContain('demo/demo-box');
});
