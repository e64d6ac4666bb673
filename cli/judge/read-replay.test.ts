import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readReplay } from './read-replay.ts';

interface Entry {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: string;
  readonly status?: number;
  readonly type?: string;
  readonly content?: object;
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** A HAR in a new folder; each entry has a JSON response. */
function write(...entries: readonly Entry[]): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-replay-')), 'run.har');
  const written = entries.map(
    ({
      method = 'GET',
      url,
      headers = {},
      sent,
      status = 200,
      type = 'application/json',
      content = { text: '{}' },
    }) => ({
      request: { method, url, headers: linesOf(headers), ...(sent !== undefined && { postData: { text: sent } }) },
      response: { status, headers: linesOf({ 'Content-Type': type }), content },
    }),
  );
  writeFileSync(file, JSON.stringify({ log: { creator: { name: 'a test' }, entries: written } }));
  return file;
}

const exchangesOf = async (...entries: readonly Entry[]) => (await readReplay(write(...entries))).replay.exchanges;

const API = 'https://api.example/base/v0';
const agents = { url: `${API}/agents` };

test('an exchange has the path below the address of its surface, and the response', async () => {
  const { replay } = await readReplay(
    write({ method: 'POST', url: `${API}/vpcs?a=%3A`, sent: '{"a":1}', status: 201, content: { text: '[]' } }, agents),
  );
  expect(replay.addresses).toEqual({ management: API, host: 'https://api.example/base' });
  expect(replay.exchanges[0]).toEqual({
    method: 'POST',
    surface: 'management',
    path: '/vpcs?a=%3A',
    body: '{"a":1}',
    response: { status: 201, headers: { 'content-type': 'application/json' }, body: '[]' },
  });
});

test('what cannot be replayed is skipped, with the reason', async () => {
  const token = { method: 'POST', url: 'https://api.example/base/oauth/token', sent: 'grant_type=client_credentials' };
  const form = { 'Content-Type': 'multipart/form-data; boundary=a' };
  const { sentence } = await readReplay(
    write(
      agents,
      token,
      { ...agents, content: { size: 12 } },
      { method: 'POST', url: `${API}/vpcs`, headers: { 'Content-Length': '9' } },
      { method: 'POST', url: `${API}/vpcs`, headers: form, sent: '--a--' },
      { url: 'https://cdn.example/app.js' },
      { ...agents, status: 0 },
    ),
  );
  for (const reason of [
    'OAuth token or key',
    'unknown response body',
    'unknown request body',
    'form with files',
    'another origin',
    'no response',
  ])
    expect(sentence).toContain(`1 × ${reason}`);
  expect(sentence).toMatch(/^Replaying 1 of 7 exchanges of .*run\.har; skipped: /);
});

test('sandboxes are named by the host name or the path', async () => {
  const file = '/filesystem/tree/app';
  const found = await exchangesOf(
    agents,
    { url: `https://sbx-a-box-demo.us-1.boxes.example${file}` },
    { url: `https://api.example/base/sandbox/demo/a-box${file}?x=1` },
  );
  expect(found.slice(1)).toMatchObject([
    { surface: 'sandbox', sandbox: 'a-box-demo', path: file },
    { surface: 'sandbox', sandbox: 'a-box-demo', path: `${file}?x=1` },
  ]);
});

test('the inference surface and a sandbox may have an origin of their own', async () => {
  const { replay } = await readReplay(
    write(
      agents,
      { method: 'POST', url: 'https://run.example/demo/agents/support', sent: '{}' },
      { url: 'https://box.example/filesystem/tree/app' },
    ),
  );
  expect(replay.addresses).toMatchObject({ inference: 'https://run.example', sandbox: 'https://box.example' });
  expect(replay.exchanges.map(({ surface, sandbox }) => [surface, sandbox])).toEqual([
    ['management', undefined],
    ['inference', undefined],
    ['sandbox', undefined],
  ]);
});

test('a recording without the management API is replayed', async () => {
  const call = { method: 'POST', url: 'https://run.example/demo/agents/support', sent: '{}' };
  expect(await exchangesOf(call, { url: 'https://cdn.example/app.js' })).toMatchObject([
    { surface: 'inference', path: '/demo/agents/support' },
  ]);
});

test('the caller is known without a credential, and by the variables of assay', async () => {
  const found = await exchangesOf(
    { ...agents, headers: { Authorization: 'Bearer $SVC_ADMIN_TOKEN', 'X-Svc-Workspace': 'demo' } },
    { ...agents, headers: { Authorization: 'Bearer $SVC_AGENTS_UPDATE_TOKEN' } },
    { ...agents, headers: { Authorization: 'Bearer abc' } },
    agents,
  );
  expect(found.map(({ caller, workspace }) => [caller, workspace])).toEqual([
    ['admin', 'demo'],
    ['agents:update', undefined],
    [undefined, undefined],
    ['none', undefined],
  ]);
});

test('a text is sent in UTF-8, and bytes as they were', async () => {
  const [text, bytes] = await exchangesOf(
    { ...agents, type: 'text/plain; charset=iso-8859-1', content: { text: 'ü' } },
    { ...agents, type: 'application/octet-stream', content: { text: 'AP8=', encoding: 'base64' } },
  );
  expect(text?.response).toMatchObject({ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ü' });
  expect(bytes?.response.body).toEqual(Buffer.from([0, 255]));
});
