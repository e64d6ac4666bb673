import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import {
  begin,
  everythingPath,
  functionPath,
  initialize,
  messages,
  request,
  sandboxPath,
  send,
  type Sent,
} from '../../testing/mcp-client.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: NOW });
});

afterAll(() => mock.close());

const ping = request(1, 'ping');

describe('requests', () => {
  test('an unknown method is the JSON-RPC error -32601, in a session and without one', async () => {
    for (const path of [functionPath, sandboxPath]) {
      const response = await send(mock, { path, headers: await begin(mock, path), body: request(5, 'no/such') });
      expect(await messages(response)).toMatchObject([{ id: 5, error: { code: -32601 } }]);
    }
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'no/such' };
    const response = await send(mock, { headers, body: request(5, 'no/such', { _meta: envelope }) });
    expect(await response.json()).toMatchObject({ id: 5, error: { code: -32601 } });
  });

  const refused: [string, number, Sent][] = [
    ['no credential', 401, { body: initialize, headers: { authorization: undefined } }],
    ['an unknown function', 404, { body: initialize, path: '/demo/functions/none/mcp' }],
    ['an unknown sandbox', 404, { body: initialize, path: '/sandbox/demo/none/mcp' }],
    ['no session', 400, { body: ping }],
    ['no session and no message', 400, { body: 'null' }],
    ['a body that is not JSON', 400, { body: '{' }],
    ['an empty body', 400, { body: '' }],
    ['a body of another type', 415, { body: initialize, headers: { 'content-type': 'text/plain' } }],
    ['a client that does not accept event streams', 406, { body: initialize, headers: { accept: 'application/json' } }],
    ['a session that never was', 404, { body: ping, headers: { 'mcp-session-id': 'x' } }],
    ['GET without a session', 400, { method: 'GET' }],
    ['DELETE without a session', 400, { method: 'DELETE' }],
    ['another method', 405, { method: 'PUT', body: ping }],
    ['a page of another site', 403, { body: initialize, headers: { origin: 'https://evil.example' } }],
    [
      'a page whose Host is localhost',
      403,
      { body: initialize, headers: { origin: 'https://localhost.evil.example' } },
    ],
    ['a page without a name', 403, { body: initialize, headers: { origin: 'null' } }],
  ];
  test.each(refused)('%s returns %i', async (_, status, sent) => {
    const response = await send(mock, sent);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining('application/json'),
    ]);
    expect(await response.json()).toHaveProperty('error');
  });

  const inSession: [string, number, Sent][] = [
    ['a body that is not a JSON-RPC message', 400, { body: { method: 'ping' } }],
    ['a second initialize', 400, { body: initialize }],
    ['an unknown protocol version', 400, { body: ping, headers: { 'mcp-protocol-version': '1999-01-01' } }],
    ['an event that never was', 400, { method: 'GET', headers: { 'last-event-id': '99' } }],
  ];
  test.each(inSession)('in a session, %s returns %i', async (_, status, { headers, ...sent }) => {
    const response = await send(mock, { ...sent, headers: { ...(await begin(mock)), ...headers } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  test('a page of the same machine may call and read the session header', async () => {
    const response = await send(mock, { body: initialize, headers: { origin: 'http://localhost:5173' } });
    expect([response.status, response.headers.get('access-control-expose-headers')]).toEqual([200, '*']);
    await response.text();
  });

  test('a function that is not deployed or is disabled does not serve', async () => {
    const admin = {
      authorization: `Bearer ${mock.target.credentials.admin.value}`,
      'content-type': 'application/json',
    };
    const create = (name: string, spec: object) =>
      fetch(`${mock.addresses.management}/functions`, {
        method: 'POST',
        headers: admin,
        body: JSON.stringify({ metadata: { name }, spec }),
      });
    await create('new-tools', {});
    await create('no-tools', { enabled: false });
    const status = async (name: string) => {
      const response = await send(mock, { path: `/demo/functions/${name}/mcp`, body: initialize });
      await response.text();
      return response.status;
    };
    expect(await status('new-tools')).toBe(503);
    mock.world.clock.advance(60_000);
    expect([await status('new-tools'), await status('no-tools')]).toEqual([200, 503]);
  });
});

describe('sessions', () => {
  test('a session is bound to its server and to the caller that created it', async () => {
    const headers = await begin(mock);
    const member = `Bearer ${mock.target.credentials.member?.value}`;
    const status = async (sent: Sent) => (await send(mock, { body: ping, ...sent })).status;
    expect(await status({ headers })).toBe(200);
    expect(await status({ headers, path: everythingPath })).toBe(404);
    expect(await status({ headers: { ...headers, authorization: member } })).toBe(404);
  });

  test('DELETE ends a session; the second DELETE returns an error', async () => {
    const headers = await begin(mock);
    const before = mock.world.mcp.sessions();
    expect((await send(mock, { method: 'DELETE', headers })).status).toBe(200);
    expect(mock.world.mcp.sessions()).toBe(before - 1);
    expect((await send(mock, { method: 'DELETE', headers })).status).toBe(404);
    expect((await send(mock, { body: ping, headers })).status).toBe(404);
  });

  test('a function that was created again has new sessions', async () => {
    const path = '/demo/functions/again/mcp';
    const admin = {
      authorization: `Bearer ${mock.target.credentials.admin.value}`,
      'content-type': 'application/json',
    };
    const create = async () => {
      const body = JSON.stringify({ metadata: { name: 'again' }, spec: {} });
      await fetch(`${mock.addresses.management}/functions`, { method: 'POST', headers: admin, body });
      mock.world.clock.advance(60_000);
    };
    await create();
    const headers = await begin(mock, path);
    await fetch(`${mock.addresses.management}/functions/again`, { method: 'DELETE', headers: admin });
    mock.world.clock.advance(60_000);
    await create();
    expect((await send(mock, { path, headers, body: ping })).status).toBe(404);
    expect((await send(mock, { path, body: initialize })).status).toBe(200);
  });

  test('a client may hold several streams of a session, which end with it', async () => {
    const headers = await begin(mock);
    const left = new AbortController();
    const open = (signal?: AbortSignal) => send(mock, { method: 'GET', headers, ...(signal && { signal }) });
    const streams = [await open(left.signal), ...(await Promise.all([open(), open()]))];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(streams[2]?.headers.get('content-type')).toBe('text/event-stream');
    left.abort();
    const again = await open();
    await send(mock, { method: 'DELETE', headers });
    for (const stream of [...streams.slice(1), again]) expect(await stream.text()).toBe('');
  });

  test.each([
    [406, { accept: 'application/json' }],
    [400, { 'mcp-protocol-version': '1999-01-01' }],
  ])('a further stream is checked like the first: %d', async (status, invalid) => {
    const headers = await begin(mock);
    const first = await send(mock, { method: 'GET', headers });
    expect((await send(mock, { method: 'GET', headers: { ...headers, ...invalid } })).status).toBe(status);
    await first.body?.cancel();
  });

  test('a response missed by the client is sent when the stream is resumed', async () => {
    const headers = await begin(mock, everythingPath);
    const body = request(7, 'tools/call', { name: 'test_elicitation', arguments: { message: 'Colour?' } });
    const left = new AbortController();
    const toolCall = await send(mock, { path: everythingPath, headers, body, signal: left.signal });
    const reader = toolCall.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('elicitation/create')) received += (await reader?.read())?.value ?? '';
    left.abort();
    await reader?.read().catch(() => undefined);
    const { id } = JSON.parse(/data: (\{.*\})/.exec(received)?.[1] ?? '');
    const lastEventId = /^id: (.*)$/m.exec(received)?.[1];
    const result = { action: 'accept', content: { response: 'blue' } };
    const accepted = await send(mock, { path: everythingPath, headers, body: { jsonrpc: '2.0', id, result } });
    expect(accepted.status).toBe(202);
    const resume = { ...headers, 'last-event-id': lastEventId };
    await vi.waitFor(async () => {
      const resumed = await messages(await send(mock, { method: 'GET', path: everythingPath, headers: resume }));
      expect(resumed.at(-1)).toMatchObject({ id: 7, result: { content: [{ text: expect.stringContaining('blue') }] } });
    });
  });
});

test('closing the mock ends all sessions, streams and pending tool calls', async () => {
  const closing = await startMock({ seed: 3, clock: 'frozen' });
  const headers = await begin(closing, everythingPath);
  const stream = await send(closing, { method: 'GET', path: everythingPath, headers });
  const body = request(7, 'tools/call', { name: 'test_elicitation', arguments: { message: 'Colour?' } });
  const toolCall = await send(closing, { path: everythingPath, headers, body });
  expect(closing.world.mcp.sessions()).toBe(1);
  await closing.close();
  expect(closing.world.mcp.sessions()).toBe(0);
  expect(await stream.text()).toBe('');
  expect(await toolCall.text()).not.toContain('"id":7');
});

test('several worlds in one process are isolated', async () => {
  await using first = await startMock({ seed: 9, clock: 'frozen', now: NOW });
  await using second = await startMock({ seed: 9, clock: 'frozen', now: NOW });
  const write = request(2, 'tools/call', { name: 'write_file', arguments: { path: '/only-first', content: '1' } });
  const read = request(2, 'tools/call', { name: 'read_file', arguments: { path: '/only-first' } });
  const call = async (world: RunningMock, body: object) => {
    const headers = await begin(world, sandboxPath);
    return (await messages(await send(world, { path: sandboxPath, headers, body })))[0]?.result;
  };
  expect(await call(first, write)).not.toHaveProperty('isError');
  expect(await call(second, read)).toMatchObject({ isError: true });
  expect([first.world.mcp.sessions(), second.world.mcp.sessions()]).toEqual([1, 1]);
});

test('the same seed and requests create the same session id', async () => {
  const session = async () => {
    await using world = await startMock({ seed: 9, clock: 'frozen', now: NOW });
    return (await begin(world))['mcp-session-id'];
  };
  expect(await session()).toBe(await session());
});

test('a world file lists origins whose pages may call', async () => {
  const page = 'https://app.example';
  const status = async (mcpOrigins: string[], origin: string) => {
    await using world = await startMock({ world: { ...defaultWorld(1, NOW), mcpOrigins }, now: NOW });
    return (await send(world, { body: initialize, headers: { origin } })).status;
  };
  expect(await status([page], page)).toBe(200);
  expect(await status([page], 'https://other.example')).toBe(403);
  expect(await status(['*'], 'https://other.example')).toBe(200);
});
