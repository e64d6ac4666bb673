/** What writers of HAR do, one test or more for each habit. */
import { expect, test } from 'vitest';
import {
  API,
  authorization,
  harEntry,
  harText,
  jsonType,
  readEntries,
  readEntry,
  writeRecording,
  zipOf,
  type Json,
} from './testing/recording-files.ts';
import { readRecording } from './read-recording.ts';

const header = (name: string, value: unknown) => ({ name, value });
const NOT_RECORDED = { unknown: 'the recording does not contain it' };

// Bodies: known, known to be empty, or unknown.

test.each<[string, Json]>([
  ['no text', { content: { size: 2 } }],
  ['no content', { content: undefined }],
  ['content of another type', { content: 'no' }],
  ['null as text', { content: { size: 0, text: null } }],
  ['an empty text for a size', { content: { size: 2, text: '' } }],
  ['an empty text for an unknown size', { content: { size: -1, text: '' } }],
  ['an empty text for a Content-Length', { headers: [header('content-length', '2')], content: { size: 0, text: '' } }],
  ['an empty text for chunks', { headers: [header('transfer-encoding', 'chunked')], content: { size: 0, text: '' } }],
])('a response with %s has an unknown body', async (_, response) => {
  expect((await readEntry({}, response)).responseBody).toEqual(NOT_RECORDED);
});

test.each<[string, Json, Json]>([
  ['an empty text and size', {}, { content: { size: 0, text: '' } }],
  ['a Content-Length of 0', {}, { headers: [header('Content-Length', '0')], content: { size: -1 } }],
  ['the method HEAD', { method: 'HEAD' }, { headers: [header('Content-Length', '9')], content: { size: 0, text: '' } }],
  ['status 204', {}, { status: 204, content: {} }],
])('a response with %s is known to be empty', async (_, request, response) => {
  expect((await readEntry(request, response)).responseBody).toEqual({ text: '' });
});

test('base64 is decoded as UTF-8, also for JSON', async () => {
  const text = Buffer.from('{"a":"𝄞"}').toString('base64');
  expect((await readEntry({}, { content: { text, encoding: 'base64' } })).responseBody).toEqual({ text: '{"a":"𝄞"}' });
});

test('base64 is decoded in the charset of the Content-Type', async () => {
  const content = { text: Buffer.from('Grüße', 'latin1').toString('base64'), encoding: 'base64' };
  const headers = [header('Content-Type', 'text/plain; charset="ISO-8859-1"')];
  expect((await readEntry({}, { headers, content })).responseBody).toEqual({ text: 'Grüße' });
});

test('a body that is not UTF-8 has one character per byte', async () => {
  const content = { text: Buffer.from([0xff, 0xfe, 0x41]).toString('base64'), encoding: 'base64' };
  const headers = [header('Content-Type', 'application/octet-stream')];
  expect((await readEntry({}, { headers, content })).responseBody).toEqual({ text: '\u00ff\u00feA', bytes: true });
});

test('bytes without an encoding are recognized by the Content-Length', async () => {
  const headers = [header('Content-Type', 'application/octet-stream'), header('Content-Length', '3')];
  const { requestBody } = await readEntry({ method: 'POST', headers, postData: { text: '\u00ff\u00feA' } });
  expect(requestBody).toEqual({ text: '\u00ff\u00feA', bytes: true });
});

test.each<[string, Json]>([
  ['zeros at the end', { content: { text: '[1, 2\0\0\0' } }],
  ['fewer bytes than the Content-Length', { headers: [jsonType, header('content-length', '9')] }],
])('a response with %s is truncated', async (_, response) => {
  expect((await readEntry({}, response)).responseBody).toEqual({ unknown: 'it is truncated' });
});

test.each([
  ['counted in UTF-8', 'ü€', '5', ''],
  ['of the coding', '{}', '99', 'gzip'],
  ['with a byte order mark', '{}', '5', ''],
])('a Content-Length %s is not too long', async (_, text, length, coding) => {
  const headers = [header('Content-Length', length), ...(coding === '' ? [] : [header('Content-Encoding', coding)])];
  expect((await readEntry({}, { headers, content: { text } })).responseBody).toEqual({ text });
});

test('JSON that ends early is unknown: nobody knows who cut it', async () => {
  const { responseBody } = await readEntry({}, { content: { text: '[{"id":"acc-' } });
  expect(responseBody).toEqual({ unknown: 'it ends within a JSON value' });
});

test('a byte order mark is not part of the text', async () => {
  expect((await readEntry({}, { content: { text: '\ufeff[]' } })).responseBody).toEqual({ text: '[]' });
});

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

test('Firefox marks a response from its cache only by its duration', async () => {
  const { exchanges } = await readEntries([harEntry({}, {}, { time: 0 })], { name: 'Firefox' });
  expect(exchanges[0]?.isRepeat).toBe(true);
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
  ['a file with a cookie', [header('cookie', 'a=1')], 'Writer', false],
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
])('the caller with the credential %s', async (value, isUnknown) => {
  for (const name of ['authorization', 'X-Svc-Authorization'])
    expect((await readEntry({ headers: [header(name, value)] })).isCallerUnknown).toBe(isUnknown);
});

test('a variable is the credential', async () => {
  const entry = await readEntry({ headers: [header('authorization', 'Bearer $SVC_ADMIN_TOKEN')] });
  expect(entry).toMatchObject({ isCallerUnknown: false, credential: 'SVC_ADMIN_TOKEN' });
});

test.each([
  '{"access_token":"********","token_type":"Bearer"}',
  '{"access_token": "SECRET-5"}',
  '{"access_token":"[REDACTED]"}',
  '{"access_token":"$SVC_ADMIN_TOKEN"}',
  '{"url":"https://(redacted)@example.com"}',
])('a body without its secret is unknown: %s', async (text) => {
  const secret = { unknown: 'a secret was removed from it' };
  const { requestBody, responseBody } = await readEntry({ method: 'PUT', postData: { text } }, { content: { text } });
  expect([requestBody, responseBody]).toEqual([secret, secret]);
});

test.each(['{"$schema":"https://a"}', '{"name":"SECRETS"}', '{"a":"**"}'])(
  'a body has its secrets: %s',
  async (text) => {
    expect((await readEntry({}, { content: { text } })).responseBody).toEqual({ text });
  },
);

// Requests.

test('the query is that of the URL, without the fragment', async () => {
  const url = `${API}/accounts?a=1%2C2&b=+%20&c=#part?d=1`;
  const queryString = [{ name: 'a', value: 1 }];
  expect((await readEntry({ url, queryString })).url).toBe(`${API}/accounts?a=1%2C2&b=+%20&c=`);
});

const form = 'application/x-www-form-urlencoded';
const params = [header('scope', 'a b'), header('grant_type', 'client_credentials')];

test.each<[string, Json, unknown]>([
  ['text comes before params', { mimeType: form, text: 'a=%2B', params }, { text: 'a=%2B' }],
  [
    'params of a form',
    { mimeType: `${form};charset=UTF-8`, params },
    { text: 'scope=a+b&grant_type=client_credentials' },
  ],
  ['params that may be encoded', { mimeType: form, params: [header('scope', 'a%20b')] }, NOT_RECORDED],
  ['params of JSON', { mimeType: 'application/json', params: [header('files', {})] }, NOT_RECORDED],
  ['params of multipart', { mimeType: 'multipart/form-data', params }, NOT_RECORDED],
  ['no params', { mimeType: form, params: [] }, NOT_RECORDED],
  ['a part of another type', 'no' as unknown as Json, NOT_RECORDED],
])('the body of a POST: %s', async (_, postData, expected) => {
  expect((await readEntry({ method: 'POST', postData })).requestBody).toEqual(expected);
});

test.each<[string, Json, unknown]>([
  ['a GET', {}, { text: '' }],
  ['a DELETE of a browser', { method: 'DELETE', postData: null }, { text: '' }],
  ['a DELETE with a length', { method: 'DELETE', headers: [header('content-length', '5')] }, NOT_RECORDED],
  ['a POST without length', { method: 'POST' }, NOT_RECORDED],
  ['a POST of length 0', { method: 'POST', headers: [header('Content-Length', '0')] }, { text: '' }],
  ['a PUT with a size', { method: 'PUT', bodySize: 5, postData: { text: '' } }, NOT_RECORDED],
  ['a PUT with an empty text', { method: 'PUT', postData: { text: '' } }, { text: '' }],
  [
    'an empty text with a length',
    { method: 'PUT', headers: [header('content-length', '5')], postData: { text: '' } },
    NOT_RECORDED,
  ],
])('the body of %s that is not in the recording', async (_, request, expected) => {
  expect((await readEntry(request)).requestBody).toEqual(expected);
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

// Client libraries, event streams, and bodies in files of their own.

const axios = { name: 'axios-har-tracker', version: '0.1.0' };

test('a client library parses bodies and writes them again', async () => {
  const headers = [jsonType, header('content-length', '99')];
  const { isReserialized, exchanges } = await readEntries([harEntry({}, { headers })], axios);
  expect(isReserialized).toBe(true);
  expect(exchanges[0]?.responseBody).toEqual({ text: '[]' });
  expect((await readEntries([harEntry()])).isReserialized).toBe(false);
});

test('a page in the recording of a client library may be the target of a redirect', async () => {
  const page = { headers: [header('content-type', 'text/html; charset=utf-8')] };
  const { skipped } = await readEntries([harEntry({}, page), harEntry({}, { ...page, status: 302 })], axios);
  expect([...skipped]).toEqual([['page that a redirect may have led to', 1]]);
});

test('bytes in the recording of a client library are not those that were sent', async () => {
  const headers = [header('content-type', 'application/octet-stream')];
  const { exchanges } = await readEntries([harEntry({}, { headers, content: { text: '{"type":"Buffer"}' } })], axios);
  expect(exchanges[0]?.responseBody).toEqual({ unknown: 'the writer changed it' });
});

const eventStream = [header('Content-Type', 'text/event-stream; charset=utf-8')];

test('an event stream is its text', async () => {
  const { responseBody } = await readEntry({}, { headers: eventStream, content: { text: 'data: {}\n\n' } });
  expect(responseBody).toEqual({ text: 'data: {}\n\n' });
});

test('an event stream that ends within an event is unknown', async () => {
  const { responseBody } = await readEntry({}, { headers: eventStream, content: { text: 'data: {}\n\ndata: {}\n' } });
  expect(responseBody).toEqual({ unknown: 'it ends within an event' });
});

test('an event stream without text is its messages', async () => {
  const messages = [
    { eventName: 'message', eventId: '1', data: '{}' },
    { eventName: 'end', eventId: '', data: 'a\nb' },
  ];
  const { responseBody } = await readEntry(
    {},
    { headers: eventStream, content: {} },
    { _eventSourceMessages: messages },
  );
  expect(responseBody).toEqual({ text: 'id: 1\ndata: {}\n\nevent: end\ndata: a\ndata: b\n\n' });
});

const inFile = (name: string) => [
  harEntry({ method: 'PUT', postData: { _file: name } }, { content: { size: 2, _file: name } }),
];

test('bodies are read from files beside the recording, also in subfolders', async () => {
  const file = writeRecording(harText(inFile('bodies/a.json')), { beside: { 'bodies/a.json': '{"a":1}' } });
  const { exchanges } = await readRecording(file);
  expect(exchanges[0]).toMatchObject({ requestBody: { text: '{"a":1}' }, responseBody: { text: '{"a":1}' } });
});

test('bodies are read from files beside the recording in a zip', async () => {
  const zip = zipOf({ 'out/run.har': harText(inFile('a.json')), 'out/a.json': '{"a":1}', 'a.json': 'no' });
  const { exchanges } = await readRecording(writeRecording(zip));
  expect(exchanges[0]).toMatchObject({ requestBody: { text: '{"a":1}' }, responseBody: { text: '{"a":1}' } });
});
