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
    return { ...read(response), leave: () => left.abort() };
  };
  const notify = (data: string) => server.sendLoggingMessage({ level: 'error', data });
  /** Cancels the response, without the signal of the request. */
  const cancel = async () => (await handle(new Request(url, { headers }))).body?.cancel();
  return { open, cancel, notify, close: () => server.close() };
}

function read(response: Response) {
  let text = '';
  let hasEnded = false;
  void response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (chunk) => void (text += chunk), close: () => void (hasEnded = true) }));
  return { status: response.status, text: () => text, hasEnded: () => hasEnded };
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

test('a client that cancels its response has left, also before what is sent next', async () => {
  const { open, cancel, notify } = await beginSession();
  const first = await open();
  await cancel();
  await notify('a');
  await vi.waitFor(async () => {
    await notify('b');
    expect(first.text()).toContain('"data":"b"');
  });
});

test('streams end when the one of the transport fails, and another can be opened', async () => {
  const bodies = [
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('The transport failed.')) }),
    new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('works')) }),
  ];
  const transport = { handleRequest: async () => new Response(bodies.shift()), closeStandaloneSSEStream: () => {} };
  const handle = createSessionStreams(transport, createEventStore());
  const failing = read(await handle(new Request(url)));
  await vi.waitFor(() => expect(failing.hasEnded()).toBe(true));
  const next = read(await handle(new Request(url)));
  await vi.waitFor(() => expect(next.text()).toBe('works'));
});

test('a client can leave while the transport fails to open its stream again', async () => {
  let opened = 0;
  const transport = {
    handleRequest: async () => {
      if (++opened > 2) throw new Error('The transport failed.');
      return new Response(new ReadableStream());
    },
    closeStandaloneSSEStream: () => {},
  };
  const handle = createSessionStreams(transport, createEventStore());
  await handle(new Request(url));
  const newest = await handle(new Request(url));
  await newest.body?.cancel();
  await vi.waitFor(() => expect(opened).toBe(3));
});
