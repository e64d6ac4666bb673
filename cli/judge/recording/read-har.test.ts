/** What writers of HAR do, one test or more for each habit. */
import { expect, test } from 'vitest';
import {
  API,
  authorization,
  harEntry,
  readEntries,
  readEntry,
  writeRecording,
  type Json,
} from './testing/recording-files.ts';
import { readRecording } from './read-recording.ts';

const header = (name: string, value: unknown) => ({ name, value });
const NOT_RECORDED = { unknown: 'the recording does not contain it' };

// Entries that are skipped, and responses that are not the server's.

test.each<[string, Json, Json, Json?]>([
  ['no response', {}, { status: 0 }],
  ['no response', {}, { status: -1 }],
  ['no response', {}, { status: '' }],
  ['no response', {}, { status: undefined }],
  ['WebSocket', {}, { status: 101 }],
  ['response that no server sent', {}, {}, { _wasFulfilled: true }],
  ['preflight request', { method: 'options', headers: [header('Access-Control-Request-Method', 'PUT')] }, {}],
  ['preflight request', {}, {}, { _resourceType: 'preflight' }],
  ['not an HTTP request', { url: 'data:,a' }, {}],
  ['not an HTTP request', { url: 'wss://api.example/ws' }, {}],
  ['not an HTTP request', { url: 'chrome-extension://abc/a.js' }, {}],
  ['not an HTTP request', { method: 'CONNECT', url: 'https://api.example:443' }, {}],
  ['URL without its secrets', { url: 'https://app.example/callback?code=(redacted)&state=1' }, {}],
  ['URL without its secrets', { url: 'https://app.example/callback?state=1&code=%5BREDACTED%5D' }, {}],
  ['invalid entry', { url: 'https://' }, {}],
  ['invalid entry', { url: undefined }, {}],
  ['invalid entry', { headers: [{ value: 'Bearer a' }] }, {}],
])('an entry is skipped as %s: %j, %j', async (reason, request, response, more = {}) => {
  const { exchanges, skipped } = await readEntries([harEntry(), harEntry(request, response, more)]);
  expect(exchanges).toHaveLength(1);
  expect([...skipped]).toEqual([[reason, 1]]);
});

test('an invalid entry costs only itself', async () => {
  const { exchanges, skipped } = await readEntries([null, 'no', {}, harEntry(), harEntry({}, {}, { response: null })]);
  expect(exchanges.map(({ source }) => source.replace(/^.*\//, ''))).toEqual(['run.har, entry 4']);
  expect(Object.fromEntries(skipped)).toEqual({ 'invalid entry': 3, 'no response': 1 });
});

test.each<[string, Json, Json]>([
  ['of the entry', {}, { _error: 'net::ERR_ABORTED' }],
  ['of the response', { _failureText: 'net::ERR_ABORTED' }, {}],
])('the body of an interrupted response is unknown, its headers are known: a mark %s', async (_, response, more) => {
  const { status, responseHeaders, responseBody } = await readEntry({}, response, more);
  expect([status, responseHeaders]).toEqual([200, [['Content-Type', 'application/json']]]);
  expect(responseBody).toEqual({ unknown: 'the response was interrupted' });
});

test('an error that is null is none', async () => {
  expect((await readEntry({}, { _error: null })).responseBody).toEqual({ text: '[]' });
});

test.each<[string, Json, Json, Json]>([
  ['memory', {}, {}, { _fromCache: 'memory' }],
  ['disk', {}, { _fromDiskCache: true }, {}],
  ['a service worker', {}, {}, { _fetchedViaServiceWorker: true }],
  ['nothing that was transferred', {}, { _transferSize: 0 }, {}],
  ['a negative size', {}, { bodySize: -244 }, {}],
  ['a 304 with a body', { headers: [header('If-None-Match', '"a"')] }, { status: 304 }, {}],
  ['a 304 shown as a 200', { headers: [header('if-none-match', '"a"')] }, { headers: [header('ETag', '"a"')] }, {}],
  ['one by date', { headers: [header('If-Modified-Since', 'a')] }, { headers: [] }, {}],
])('a response from %s is a repeat', async (_, request, response, more) => {
  expect((await readEntry(request, response, more)).isRepeat).toBe(true);
});

test.each<[string, Json, Json, Json]>([
  ['unknown sizes', {}, { bodySize: -1, _transferSize: -1 }, { _fromCache: null, _fromDiskCache: false }],
  ['a new version', { headers: [header('If-None-Match', '"a"')] }, {}, {}],
  ['a duration of 0', {}, {}, { time: 0 }],
])('a response with %s is not a repeat', async (_, request, response, more) => {
  expect((await readEntry(request, response, more)).isRepeat).toBe(false);
});

test('Firefox has no mark for a response from its cache: it has no duration and no headers in its size', async () => {
  const entries = [harEntry({}, {}, { time: 0 }), harEntry({}, { bodySize: 300 }, { time: 0 }), harEntry()];
  const { exchanges } = await readEntries(entries, { name: 'Firefox' });
  expect(exchanges.map(({ isRepeat }) => isRepeat)).toEqual([true, false, false]);
});

test('a 304 has no body, whatever the writer has in its cache', async () => {
  expect((await readEntry({}, { status: 304 })).responseBody).toEqual({ text: '' });
});

// Time.

test('exchanges are in the order of time, with any offset and fraction', async () => {
  const times = [
    '2026-11-28T02:00:00.957437+00:00',
    '2026-11-28T03:00:00.957436+01:00',
    '2026-11-28T02:00:00',
    '2026-11-28T02:00:00.5Z',
  ];
  const { exchanges } = await readEntries(
    times.map((startedDateTime, index) => harEntry({ url: `${API}/${index}` }, {}, { startedDateTime })),
  );
  expect(exchanges.map(({ url }) => url.slice(-1)).join('')).toBe('2310');
  const start = Date.UTC(2026, 10, 28, 2);
  expect(exchanges[0]).toMatchObject({ startedAt: start, endedAt: start + 5 });
  expect(exchanges[3]?.startedAt).toBeCloseTo(start + 957.437, 3);
});

test('an entry without a time stays behind the one before it, and has none', async () => {
  const at = (startedDateTime: unknown, url: string) => harEntry({ url }, {}, { startedDateTime });
  const { exchanges } = await readEntries([
    at('2026-11-28T03:00:00Z', 'http://a/1'),
    at('soon', 'http://a/2'),
    at('2026-11-28T02:00:00Z', 'http://a/3'),
    at(undefined, 'http://a/4'),
  ]);
  expect(exchanges.map(({ url }) => url.slice(-1)).join('')).toBe('3412');
  expect(exchanges[3]).not.toHaveProperty('startedAt');
});

test('the times of assay are those of the clock', async () => {
  const { exchanges } = await readEntries([harEntry()], { name: 'assay', version: '0.1.0' });
  expect(exchanges[0]).toMatchObject({ startedAt: Date.UTC(2026, 10, 28, 2) });
});

test('an unknown duration has no end', async () => {
  expect(await readEntry({}, {}, { time: -1 })).not.toHaveProperty('endedAt');
});

test('several responses to one request stay in the order of time', async () => {
  const at = (second: number) =>
    harEntry({}, { content: { text: `[${second}]` } }, { startedDateTime: `2026-11-28T02:00:0${second}Z` });
  const { exchanges } = await readEntries([at(3), at(1), at(2)]);
  expect(exchanges.map(({ responseBody }) => responseBody)).toEqual([
    { text: '[1]' },
    { text: '[2]' },
    { text: '[3]' },
  ]);
});

// Credentials.

test.each<[string, Json[], string, boolean]>([
  ['a file without any credentials', [], 'Writer', true],
  ['a file with a credential', [authorization], 'Writer', false],
  ['a file with cookies only', [header('cookie', 'a=1')], 'Writer', true],
  ['a file of DevTools', [authorization], 'WebInspector', true],
  ['a file with a credential that sanitizers miss', [header('X-Svc-Authorization', 'Bearer a')], 'Writer', true],
])('the caller of a request without credentials in %s', async (_, headers, name, isUnknown) => {
  const { exchanges } = await readEntries([harEntry({ headers: [] }), harEntry({ headers })], { name });
  expect(exchanges[0]?.isCallerUnknown).toBe(isUnknown);
});

test.each<[string, boolean]>([
  ['Bearer abc', false],
  ['Bearer SECRET', true],
  ['Bearer SECRET-1', false],
  ['********', true],
  ['Bearer [REDACTED]', true],
  ['Basic (redacted)', true],
  ['Token $SVC_ADMIN_TOKEN', true],
])('the caller with the credential %s', async (value, isUnknown) => {
  for (const name of ['authorization', 'X-Svc-Authorization'])
    expect((await readEntry({ headers: [header(name, value)] })).isCallerUnknown).toBe(isUnknown);
});

test('a variable is the credential', async () => {
  const entry = await readEntry({ headers: [header('authorization', 'Bearer $SVC_ADMIN_TOKEN')] });
  expect(entry).toMatchObject({ isCallerUnknown: false, credential: 'SVC_ADMIN_TOKEN' });
});

// Requests.

test('the query is that of the URL, without the fragment', async () => {
  const url = `${API}/accounts?a=1%2C2&b=+%20&c=#part?d=1`;
  const queryString = [{ name: 'a', value: 1 }];
  expect((await readEntry({ url, queryString })).url).toBe(`${API}/accounts?a=1%2C2&b=+%20&c=`);
});

test('the method is in upper case', async () => {
  expect((await readEntry({ method: 'get', httpVersion: 'h3' })).method).toBe('GET');
});

test('header lines are as sent: no pseudo-headers, no repetitions, no joined lines, no names without value', async () => {
  const { requestHeaders, responseHeaders } = await readEntry(
    {
      headers: [header(':authority', 'a'), { name: 'Content-Type' }, header('Accept', '*/*'), header('accept', '*/*')],
    },
    { headers: [header('Set-Cookie', 'a=1; Path=/\nb=2'), header('X-Dup', 'one'), header('X-Dup', 'two')] },
  );
  expect(requestHeaders).toEqual([['accept', '*/*']]);
  expect(responseHeaders).toEqual([
    ['Set-Cookie', 'a=1; Path=/'],
    ['Set-Cookie', 'b=2'],
    ['X-Dup', 'one'],
    ['X-Dup', 'two'],
  ]);
});

test('the mimeType of the content is no Content-Type', async () => {
  const { responseHeaders } = await readEntry({}, { headers: [], content: { text: '[]', mimeType: 'x-unknown' } });
  expect(responseHeaders).toEqual([]);
});

test('the URL names the server, whatever the Host header says', async () => {
  const { url, requestHeaders } = await readEntry({ headers: [header('Host', 'proxy.example'), authorization] });
  expect(url).toBe(`${API}/accounts`);
  expect(requestHeaders).toContainEqual(['Host', 'proxy.example']);
});

// Parts of the file.

test('missing parts are tolerated', async () => {
  const file = writeRecording(
    JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: API }, response: { status: 200 } }] } }),
  );
  const { writer, exchanges } = await readRecording(file);
  expect(writer).toBe('unknown writer');
  expect(exchanges[0]).toMatchObject({ status: 200, responseHeaders: [], responseBody: NOT_RECORDED });
});

test('the writer is named with its version', async () => {
  expect((await readEntries([harEntry()])).writer).toBe('Writer 1.0');
});

test('a file without entries names the likely cause', async () => {
  await expect(readEntries([])).rejects.toThrow(
    /log\.entries is empty.* Playwright writes them when the context is closed/,
  );
});

test.each([
  ['[]', /run\.har": Expected an object.*, found an empty array\. Expected HAR/],
  ['{"log":{}}', /run\.har": Missing key "entries" in log: expected an array\. Expected HAR/],
  ['{"log":{"entries":{}}}', /run\.har": log\.entries: an object is not an array\. Expected HAR/],
  ['{"log":', /run\.har" is not valid JSON, or is truncated: .* Expected HAR/],
  ['no', /run\.har" is not valid JSON/],
])('%s is rejected', async (text, message) => {
  await expect(readRecording(writeRecording(text))).rejects.toThrow(message);
});
