import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeMock } from '../testing/control-client.ts';
import { startMock, type RunningMock } from '../start-mock.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
  await changeMock(mock.addresses.host, 'POST', '/worlds', { id: 'other' });
});
afterAll(() => mock.close());

/** The error message for a path; `host` is the Host header, by default that of the address. */
async function refusal(path: string, host?: string): Promise<string> {
  const { hostname, port } = new URL(mock.addresses.host);
  const sent = request({ hostname, port, path, headers: host === undefined ? {} : { host } }).end();
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(404);
  const { error, message = error } = JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  return message;
}

test.each([
  ['a sandbox by its path', '/sandbox/demo/demo-box', '/sandbox/demo/demo-box'],
  ['a sandbox by its host name', '', '', 'sbx-demo-box-demo.local.localhost'],
  ['a sandbox of another world', '/_mock/w/other/sandbox/demo/demo-box', '/_mock/w/other/sandbox/demo/demo-box'],
  ['no sandbox at all', '', '/sandbox/{workspace}/{sandboxName}'],
  ['no sandbox of another world', '/_mock/w/other', '/_mock/w/other/sandbox/{workspace}/{sandboxName}'],
])('the 404 for a wrong path of %s names paths at that address', async (_, before, address, host?) => {
  const message = await refusal(`${before}/filesystems/tree/app`, host);
  const [requestedPath, ...nearest] = message.match(/\/[\w{}/-]+/g) ?? [];
  expect([requestedPath, nearest[0]]).toEqual([`${before}/filesystems/tree/app`, `${address}/filesystem/tree/{path}`]);
  for (const path of nearest) expect(path.startsWith(`${address}/filesystem`)).toBe(true);
});

test.each(['sandboxes', 'agents', 'previews'])(
  'a sandbox has no path like %s and suggests nothing',
  async (segment) => {
    const path = `/sandbox/demo/demo-box/${segment}`;
    expect(await refusal(path)).toBe(`Nothing is served at "${path}".`);
  },
);

test('the paths of another world are below its own URL', async () => {
  expect(await refusal('/_mock/w/other/v0/agent')).toMatch(/Nearest: \/_mock\/w\/other\/v0\/agents,/);
});

test.each(['agnets', 'agnts', 'gaents'])('the misspelt path /v0/%s suggests the agents', async (segment) => {
  expect(await refusal(`/v0/${segment}`)).toMatch(/Nearest: \/v0\/agents,/);
});
