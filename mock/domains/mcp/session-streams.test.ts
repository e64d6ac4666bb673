import { isInitializeRequest, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { expect, test, vi } from 'vitest';
import { initialize } from '../../testing/mcp-client.ts';
import { createEventStore } from './event-store.ts';
import { createSessionStreams } from './session-streams.ts';

const url = 'http://127.0.0.1/mcp';
const accept = 'application/json, text/event-stream';

/** A session; each stream returns the text received so far. */
async function beginSession() {
  const eventStore = createEventStore();
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'one', eventStore });
  const { server } = new McpServer({ name: 'test', version: '1.0.0' }, { capabilities: { logging: {} } });
  await server.connect(transport);
  const headers = { accept, 'content-type': 'application/json', 'mcp-session-id': 'one' };
  expect(isInitializeRequest(initialize)).toBe(true);
  await transport.handleRequest(new Request(url, { method: 'POST', headers, body: JSON.stringify(initialize) }));
  const handle = createSessionStreams(transport, eventStore);
  const open = async (more: Record<string, string> = {}) => {
    const left = new AbortController();
    const response = await handle(new Request(url, { headers: { ...headers, ...more }, signal: left.signal }));
    let text = '';
    let hasEnded = false;
    void response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (chunk) => void (text += chunk), close: () => void (hasEnded = true) }));
    return { status: response.status, leave: () => left.abort(), text: () => text, hasEnded: () => hasEnded };
  };
  const notify = (data: string) => server.sendLoggingMessage({ level: 'error', data });
  return { open, notify, close: () => server.close() };
}

type Stream = Awaited<ReturnType<Awaited<ReturnType<typeof beginSession>>['open']>>;

const receives = (stream: Stream | undefined, data: string) =>
  vi.waitFor(() => expect(stream?.text()).toContain(`"data":"${data}"`));

test('each message is on the newest stream, and when its client disconnects, on the one before', async () => {
  const { open, notify } = await beginSession();
  const [first, second, third] = [await open(), await open(), await open()];
  await notify('a');
  await receives(third, 'a');
  second.leave();
  third.leave();
  await vi.waitFor(async () => {
    await notify('b');
    expect(first.text()).toContain('"data":"b"');
  });
  expect(first.text()).not.toContain('"data":"a"');
  expect(second.text()).toBe('');
});

test('all streams end with the session, also those without messages', async () => {
  const { open, notify, close } = await beginSession();
  const streams = await Promise.all([open(), open(), open()]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  await notify('a');
  await vi.waitFor(() => expect(streams.filter(({ text }) => text().includes('"a"'))).toHaveLength(1));
  expect(streams.filter(({ hasEnded }) => hasEnded())).toEqual([]);
  await close();
  await vi.waitFor(() => expect(streams.filter(({ hasEnded }) => hasEnded())).toHaveLength(3));
});

test('a resumed stream gets what was missed, unless it was sent on another stream', async () => {
  const { open, notify } = await beginSession();
  const first = await open();
  await notify('a');
  await receives(first, 'a');
  const [, lastEventId = ''] = /^id: (.*)$/m.exec(first.text()) ?? [];
  first.leave();
  await new Promise((resolve) => setTimeout(resolve, 10));
  await notify('missed');
  const resumed = await open({ 'last-event-id': lastEventId });
  await receives(resumed, 'missed');
  const further = await open({ 'last-event-id': lastEventId });
  await notify('c');
  await receives(further, 'c');
  expect(further.text()).not.toContain('missed');
  further.leave();
  await vi.waitFor(async () => {
    await notify('d');
    expect(resumed.text()).toContain('"data":"d"');
  });
});
