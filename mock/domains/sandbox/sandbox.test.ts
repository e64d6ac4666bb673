import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf } from '../../../spec/documents.ts';
import type { Content } from '../../../spec/openapi-document.ts';
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

const fileForm = (...content: (Uint8Array<ArrayBuffer> | string)[]) => {
  const form = new FormData();
  form.set('file', new Blob(content), 'part');
  return form;
};

/** With fetch, which encodes a form. */
async function sendForm(path: string, body: FormData | string | undefined, headers: Record<string, string> = {}) {
  const url = `${mock.addresses.host}/sandbox/demo/demo-box${path}`;
  const response = await fetch(url, { method: 'PUT', headers: { authorization, ...headers }, body: body ?? null });
  const json: ReturnType<typeof JSON.parse> = await response.json();
  return { status: response.status, json };
}

test('completing an upload creates a file with the bytes of its parts, which can be read back', async () => {
  const opened = await send('/filesystem-multipart/initiate/up/big.bin', {
    method: 'POST',
    body: { permissions: '0600' },
  });
  const { uploadId } = opened.json;
  const parts = [];
  for (const [index, content] of [Uint8Array.of(0xff, 0xfe, 0x0d, 0x0a), 'end'].entries()) {
    const part = await sendForm(`/filesystem-multipart/${uploadId}/part?partNumber=${index + 1}`, fileForm(content));
    expect(part).toMatchObject({ status: 200, json: { partNumber: index + 1, size: index === 0 ? 4 : 3 } });
    parts.push(part.json);
  }
  expect((await send('/filesystem-multipart')).json.uploads).toMatchObject([
    { uploadId, path: '/up/big.bin', permissions: 0o600 },
  ]);
  expect((await send(`/filesystem-multipart/${uploadId}/parts`)).json).toEqual({ uploadId, parts });
  const complete = (body?: unknown) =>
    send(`/filesystem-multipart/${uploadId}/complete`, { method: 'POST', ...(body !== undefined && { body }) });
  for (const body of [
    undefined,
    {},
    { parts: [] },
    { parts: [{ partNumber: 1 }] },
    { parts: [{ partNumber: 1, etag: '' }] },
  ])
    expect((await complete(body)).status).toBe(400);
  expect(await complete({ parts })).toMatchObject({ status: 200, json: { path: '/up/big.bin' } });
  expect((await send('/filesystem/tree/up')).json.files).toMatchObject([
    { name: 'big.bin', size: 7, permissions: '0600' },
  ]);
  const bytes = await open('/filesystem/up/big.bin', { headers: { accept: 'application/octet-stream' } });
  expect(Buffer.concat(await bytes.toArray())).toEqual(Buffer.from([0xff, 0xfe, 0x0d, 0x0a, ...Buffer.from('end')]));
  expect((await send('/filesystem-multipart')).json).toEqual({ uploads: [] });
  expect((await send(`/filesystem-multipart/${uploadId}/abort`, { method: 'DELETE' })).status).toBe(404);
  expect((await send(`/filesystem-multipart/${uploadId}/parts`)).status).toBe(404);
});

test('a file is sent in the media types that are documented', async () => {
  const { paths } = documentOf('sandbox');
  const success = paths['/filesystem/{path}']?.get?.responses['200'] as Content | undefined;
  const content = success?.content ?? {};
  const typeOf = async (query: string, headers: Record<string, string> = {}): Promise<string | undefined> => {
    const response = await open(`/filesystem/app/README.md${query}`, { headers });
    response.resume();
    return response.headers['content-type']?.split(';', 1)[0];
  };
  expect(Object.keys(content)).toEqual([await typeOf(''), await typeOf('?download=true')]);
  expect(await typeOf('', { accept: 'application/octet-stream' })).toBe('application/octet-stream');
  expect(content['application/octet-stream']?.schema).toEqual({ type: 'string', format: 'binary' });
});

test('a part is a form with the field file', async () => {
  const { uploadId } = (await send('/filesystem-multipart/initiate/x', { method: 'POST', body: {} })).json;
  const path = `/filesystem-multipart/${uploadId}/part?partNumber=1`;
  const other = new FormData();
  other.set('content', 'hello');
  expect((await sendForm(path, other)).json.error).toContain('file is undefined');
  expect((await sendForm(path, 'hello', { 'content-type': 'application/octet-stream' })).status).toBe(415);
  for (const type of ['multipart/form-data; boundary=none', 'multipart/form-data; x'])
    expect((await sendForm(path, 'hello', { 'content-type': type })).status).toBe(400);
  const twice = fileForm('a');
  twice.append('file', 'b');
  expect((await sendForm(path, twice)).json.error).toContain('more than once');
  const text = new FormData();
  text.set('file', 'hello');
  expect((await sendForm(path, text)).json).toMatchObject({ size: 5 });
});

test('a part of 5 MB, as clients split files, fits', async () => {
  const { uploadId } = (await send('/filesystem-multipart/initiate/x', { method: 'POST', body: {} })).json;
  const part = fileForm(new Uint8Array(5 * 2 ** 20));
  expect((await sendForm(`/filesystem-multipart/${uploadId}/part?partNumber=1`, part)).status).toBe(200);
  await send(`/filesystem-multipart/${uploadId}/abort`, { method: 'DELETE' });
});

test('a single file is written, read and deleted', async () => {
  const path = '/filesystem/single/a.txt';
  expect((await send(path)).status).toBe(404);
  const write = (at: string, body: unknown) => send(at, { method: 'PUT', body });
  expect(await write(path, { content: 'grüße', permissions: '0640' })).toMatchObject({
    status: 200,
    json: { path: '/single/a.txt' },
  });
  const file = { name: 'a.txt', path: '/single/a.txt', size: 7, permissions: '0640', content: 'grüße' };
  expect((await send(path)).json).toMatchObject(file);
  expect((await send('/filesystem/%2Fsingle%2Fa.txt')).json).toMatchObject(file);
  expect((await send('/filesystem/single')).json).toEqual((await send('/filesystem/tree/single')).json);
  for (const [at, headers] of [
    [`${path}?download=true`, {}],
    [path, { accept: 'text/plain' }],
  ] as const) {
    const bytes = await open(at, { headers });
    expect([bytes.headers['content-type'], String(await bytes.setEncoding('utf8').toArray())]).toEqual([
      'application/octet-stream',
      'grüße',
    ]);
  }
  expect((await sendForm('/filesystem/single/b.bin', fileForm(Uint8Array.of(0xff)))).status).toBe(200);
  expect(await write('/filesystem/single/sub/deep', { isDirectory: true })).toMatchObject({ status: 200 });
  expect((await send('/filesystem/single')).json).toMatchObject({
    files: [{ name: 'a.txt' }, { name: 'b.bin', size: 1 }],
    subdirectories: [{ path: '/single/sub' }],
  });
  for (const body of [{ content: 1 }, { permissions: 'rw' }, { isDirectory: 'yes' }, [], null])
    expect((await write('/filesystem/single/no', body)).status).toBe(400);
  const remove = (at: string) => send(at, { method: 'DELETE' });
  const watch = await open('/watch/filesystem/single');
  expect(await remove(path)).toMatchObject({ status: 200, json: { path: '/single/a.txt' } });
  expect(String((await once(watch, 'data'))[0])).toBe('/single/a.txt\n');
  watch.destroy();
  expect([(await remove(path)).status, (await send(path)).status]).toEqual([404, 404]);
  expect((await remove('/filesystem/single')).status).toBe(409);
  expect((await remove('/filesystem/tree/single?recursive=yes')).status).toBe(400);
  expect((await remove('/filesystem/tree/single/b.bin')).status).toBe(400);
  expect((await remove('/filesystem/tree/single?recursive=true')).status).toBe(200);
  expect((await send('/filesystem/tree/single')).status).toBe(404);
  expect((await remove('/filesystem/?recursive=true')).status).toBe(400);
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
