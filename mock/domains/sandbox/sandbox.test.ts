import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';

let mock: RunningMock;
let authorization: string;

beforeAll(async () => {
  mock = await startMock({ seed: 5, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
  authorization = `Bearer ${mock.target.credentials.admin.value}`;
});

afterAll(() => mock.close());

interface RequestOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** By path, which needs no host name to resolve. */
function open(path: string, { method = 'GET', body, headers = {} }: RequestOptions = {}): Promise<IncomingMessage> {
  const url = new URL(mock.addresses.host);
  const bytes = body instanceof Uint8Array ? body : JSON.stringify(body);
  const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json';
  const sent = httpRequest({
    host: url.hostname,
    port: url.port,
    method,
    path: `/sandbox/demo/demo-box${path}`,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
  });
  sent.on('error', () => {});
  sent.end(bytes);
  return once(sent, 'response').then(([response]) => response as IncomingMessage);
}

async function send(path: string, options?: RequestOptions) {
  const response = await open(path, options);
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode, json: JSON.parse(text) };
}

const put = (path: string, files: unknown) => send(path, { method: 'PUT', body: { files } });

test('a written tree can be listed with every spelling of its path', async () => {
  const { status, json } = await put('/filesystem/tree/spelt', { 'a.txt': 'grüße', 'sub/b.txt': 'b' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    path: '/spelt',
    files: [{ name: 'a.txt', size: 7 }],
    subdirectories: [{ path: '/spelt/sub' }],
  });
  for (const path of ['/spelt', '//spelt', '%2Fspelt', '%2fspelt/', 'spelt/sub/..', 'x/%2e%2e/%2e%2e/spelt']) {
    expect([path, (await send(`/filesystem/tree/${path}`)).json]).toEqual([path, json]);
  }
});

test('the root is read, written and watched with an empty path', async () => {
  const { status, json: root } = await put('/filesystem/tree/', { 'top.txt': 'at the top' });
  expect([status, root]).toEqual([200, expect.objectContaining({ name: '/', path: '/' })]);
  expect(root.files).toContainEqual(expect.objectContaining({ path: '/top.txt' }));
  for (const path of ['', '/', '/%2F']) expect((await send(`/filesystem/tree${path}`)).json).toEqual(root);
  expect(await put('/filesystem/tree', { 'top.txt': 'at the top' })).toEqual({ status: 200, json: root });
  const watch = await open('/watch/filesystem');
  await put('/filesystem/tree', { 'top.txt': 'anew' });
  expect(String((await once(watch, 'data'))[0])).toBe('/top.txt\n');
  watch.destroy();
  const nameless = await send('/filesystem-multipart/initiate/', { method: 'POST', body: {} });
  expect(nameless).toEqual({ status: 400, json: { error: expect.stringContaining('the path of a file') } });
});

test('errors have the body {error} and change no files', async () => {
  await put('/filesystem/tree/kept', { file: '1' });
  const before = await send('/filesystem/tree/kept');
  const refused = [
    await put('/filesystem/tree/kept', { file: 1 }),
    await put('/filesystem/tree/kept', ['file']),
    await put('/filesystem/tree/kept', { 'file/below': '' }),
    await put('/filesystem/tree/kept/file', { below: '' }),
    await send('/filesystem/tree/none'),
    await send('/filesystem/tree/kept/file'),
    await send('/watch/filesystem/none'),
    await send('/filesystem-multipart', { headers: { authorization: 'Bearer none' } }),
    await send('/nothing-there'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 400, 404, 401, 404]);
  for (const { json } of refused) expect(json).toEqual({ error: expect.any(String) });
  expect(await send('/filesystem/tree/kept')).toEqual(before);
});

test('a sandbox that does not exist has no files', async () => {
  const url = `${mock.addresses.host}/sandbox/demo/none/filesystem/tree/%2F`;
  const response = await fetch(url, { headers: { authorization } });
  expect([response.status, await response.json()]).toEqual([404, { error: 'Sandbox "none" does not exist.' }]);
});

test('completing an upload creates a file with the bytes of its parts', async () => {
  const opened = await send('/filesystem-multipart/initiate/up/big.bin', {
    method: 'POST',
    body: { permissions: 0o600 },
  });
  const { uploadId } = opened.json;
  const parts = [Uint8Array.of(0xff, 0xfe), new TextEncoder().encode('end')];
  for (const [index, body] of parts.entries()) {
    const { status } = await send(`/filesystem-multipart/${uploadId}/part?partNumber=${index + 1}`, {
      method: 'PUT',
      body,
    });
    expect(status).toBe(200);
  }
  expect((await send('/filesystem-multipart')).json.uploads).toMatchObject([
    { uploadId, path: '/up/big.bin', permissions: 0o600 },
  ]);
  expect((await send(`/filesystem-multipart/${uploadId}/complete`, { method: 'POST' })).status).toBe(200);
  expect((await send('/filesystem/tree/up')).json.files).toMatchObject([
    { name: 'big.bin', size: 5, permissions: '0600' },
  ]);
  expect((await send('/filesystem-multipart')).json).toEqual({ uploads: [] });
  expect((await send(`/filesystem-multipart/${uploadId}/abort`, { method: 'DELETE' })).status).toBe(404);
});

test('watchers are notified of each written file and removed when they disconnect', async () => {
  await put('/filesystem/tree/watched', {});
  const one = await open('/watch/filesystem/watched');
  const other = await open('/watch/filesystem/watched?ignore=*.log');
  expect([one.statusCode, one.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const heard = ['', ''];
  for (const [index, stream] of [one, other].entries())
    stream.on('error', () => {}).on('data', (text) => void (heard[index] += String(text)));
  await put('/filesystem/tree/elsewhere', { 'x.ts': '' });
  await put('/filesystem/tree/watched', { 'a.log': '', 'b.ts': '' });
  await expect.poll(() => heard).toEqual(['/watched/a.log\n/watched/b.ts\n', '/watched/b.ts\n']);
  const watchers = () => mock.world.sandboxes.open('demo', 'demo-box', uuidOfBox()).watchers.count();
  expect(watchers()).toBe(2);
  one.destroy();
  await expect.poll(watchers).toBe(1);
  await put('/filesystem/tree/watched', { 'c.ts': '' });
  await expect.poll(() => heard[1]).toBe('/watched/b.ts\n/watched/c.ts\n');
  other.destroy();
  await expect.poll(watchers).toBe(0);
});

function uuidOfBox(): string {
  return mock.world.resources.get('demo/sandboxes')?.get('demo-box')?.uuid ?? '';
}

test('a file that would be outside of the directory is refused with all others, and an absolute path is below it', async () => {
  for (const path of ['../../outside.txt', '/../../outside.txt', 'x/../../outside.txt']) {
    const { status, json } = await put('/filesystem/tree/app/deep', { 'inside.txt': 'x', [path]: 'x' });
    expect([status, json.error]).toEqual([400, expect.stringContaining('below /app/deep')]);
  }
  expect((await send('/filesystem/tree/app/deep')).status).toBe(404);
  const { json } = await put('/filesystem/tree/app/deep', { '/abs.txt': 'x' });
  expect(json.files).toMatchObject([{ path: '/app/deep/abs.txt' }]);
});
