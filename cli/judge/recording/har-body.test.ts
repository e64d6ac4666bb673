/** Bodies of HAR entries: known, known to be empty, or unknown. */
import { expect, test } from 'vitest';
import {
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
