import { afterAll, beforeEach, expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';
import type { EntryView } from './views.ts';
import { journalStream } from './journal-stream.ts';
import { completeEntry, createJournal, enter } from '../../pipeline/journal.ts';
import { storeBody } from '../../pipeline/journal-bodies.ts';
import { callControl, changeMock } from '../../testing/control-client.ts';

const mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
const { host, management } = mock.addresses;

beforeEach(() => changeMock(host, 'POST', '/reset'));
afterAll(() => mock.close());

interface Stream extends AsyncDisposable {
  /** The next event, unparsed. */
  next(): Promise<string>;
  ended(): Promise<boolean>;
}

/** Resolves when the stream is open: it then reports all later requests. */
async function open(base = host, query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(`${base}/_mock/requests${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const blocks = blocksOf(response.body as ReadableStream<Uint8Array<ArrayBuffer>>);
  return {
    next: async () => String((await blocks.next()).value),
    ended: async () => (await blocks.next()).done === true,
    [Symbol.asyncDispose]: async () => leaving.abort(),
  };
}

async function* blocksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}

function entryIn(event: string): EntryView {
  return JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as EntryView;
}

const send = async (path: string) => (await fetch(management + path)).text();

test('a request is streamed when its response is sent, as in the journal', async () => {
  await using stream = await open();
  await send('/agents');
  const event = await stream.next();
  expect(event).toMatch(/^event: request\nid: 1\ndata: /);
  const { body } = await callControl(host, 'GET', '/requests');
  expect((body as { requests: unknown[] }).requests).toEqual([entryIn(event)]);
});

test('with a Last-Event-ID, the stream starts with the later entries of the journal; 0 means all', async () => {
  await send('/a');
  await send('/b');
  await using all = await open(host, '', { 'last-event-id': '0' });
  await using rest = await open(host, '', { 'last-event-id': '1' });
  await send('/c');
  const paths = async (stream: Stream, count: number) => {
    const collected: string[] = [];
    while (collected.length < count) collected.push(entryIn(await stream.next()).path);
    return collected;
  };
  expect(await paths(all, 3)).toEqual(['/v0/a', '/v0/b', '/v0/c']);
  expect(await paths(rest, 2)).toEqual(['/v0/b', '/v0/c']);
});

test('filters also apply to the stream', async () => {
  await using stream = await open(host, '?path=/v0/b*');
  await using pages = await open(host, `?query=${encodeURIComponent('{"cursor":"*"}')}`);
  await send('/a');
  await send('/b');
  await send('/b?cursor=abc');
  expect(entryIn(await stream.next())).toMatchObject({ number: 2, path: '/v0/b' });
  expect(entryIn(await pages.next())).toMatchObject({ number: 3, query: [['cursor', 'abc']] });
});

test('a reset and a deletion are streamed, and the stream continues', async () => {
  await using stream = await open();
  await changeMock(host, 'POST', '/reset');
  await changeMock(host, 'DELETE', '/requests');
  await send('/a');
  expect([await stream.next(), await stream.next()]).toEqual([
    'event: forgotten\ndata: {}',
    'event: forgotten\ndata: {}',
  ]);
  expect(entryIn(await stream.next()).number).toBe(1);
});

test('a slow reader misses the oldest entries and buffers no more than the journal', () => {
  const journal = createJournal();
  const stream = journalStream(journal, ({ number }) => number % 2 === 0);
  for (let number = 1; number <= 10_000; number++) {
    const entry = enter(journal, { method: 'GET', originalUrl: '/', headers: {} }, 0);
    storeBody(entry.bodies.request, `body ${number}`);
    completeEntry(journal, entry);
  }
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? '');
  expect([...text.matchAll(/"body (\d+)"/g)].map(([, number]) => number)).toEqual(ids);
  expect(ids.slice(-1000)).toEqual(Array.from({ length: 1000 }, (_, index) => String(8002 + 2 * index)));
  expect(ids.length).toBeLessThan(2000);
  stream.destroy();
});

test('the stream of a removed world ends', async () => {
  const { body } = await callControl(host, 'POST', '/worlds', { id: 'gone' });
  expect(body).toMatchObject({ id: 'gone' });
  await using stream = await open(`${host}/_mock/w/gone`);
  await changeMock(host, 'DELETE', '/worlds/gone');
  expect(await stream.ended()).toBe(true);
});

test('a Last-Event-ID that is not a number is rejected with a clear message', async () => {
  const headers = { accept: 'text/event-stream', 'last-event-id': 'newest' };
  const response = await fetch(`${host}/_mock/requests`, { headers });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('Last-Event-ID is \\"newest\\"'),
  ]);
});
