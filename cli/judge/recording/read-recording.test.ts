/** Files that contain recordings: how they are packed, what is rejected, and what real programs write. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readRecording } from './read-recording.ts';
import type { RecordedBody } from './recorded-exchange.ts';
import { harEntry, harText, writeRecording, zipOf } from './testing/recording-files.ts';

const har = harText([harEntry()]);

test.each<[string, string | Uint8Array]>([
  ['JSON', har],
  ['JSON with a byte order mark', `\ufeff${har}`],
  ['JSON with CRLF', JSON.stringify(JSON.parse(har), null, 2).replaceAll('\n', '\r\n')],
  ['gzip', gzipSync(har)],
  ['zlib', deflateSync(har)],
  ['a zip', zipOf({ 'run.har': har })],
])('%s is recognized by its content, whatever the name', async (_, content) => {
  const { exchanges } = await readRecording(writeRecording(content, { name: 'recording' }));
  expect(exchanges[0]).toMatchObject({ method: 'GET', status: 200, responseBody: { text: '[]' } });
  expect(exchanges[0]?.source).toMatch(/recording, entry 1$/);
});

const withFile = (name: string) => harText([harEntry({}, { content: { size: 2, _file: name } })]);

test.each([
  ['missing.json', 'the file "missing.json" does not exist'],
  ['../secret.json', 'the file "../secret.json" is outside the folder of the recording'],
  ['/etc/hostname', 'the file "/etc/hostname" is outside the folder of the recording'],
  ['link.json', 'the file "link.json" is outside the folder of the recording'],
  ['bodies', 'the file "bodies" is a folder; expected a file'],
])('the body in %s is not read', async (name, unknown) => {
  const file = writeRecording(withFile(name), { beside: { 'bodies/a.json': '{}' } });
  const secret = writeRecording('{}', { name: 'secret.json' });
  symlinkSync(secret, path.join(path.dirname(file), 'link.json'));
  expect((await readRecording(file)).exchanges[0]?.responseBody).toEqual({ unknown });
});

test.each([
  ['missing.json', 'the file "missing.json" is missing'],
  ['../../secret.json', 'the file "../../secret.json" is outside the folder of the recording'],
])('the body in %s of a zip is not read', async (name, unknown) => {
  const file = writeRecording(zipOf({ 'out/run.har': withFile(name), 'secret.json': '{}' }));
  expect((await readRecording(file)).exchanges[0]?.responseBody).toEqual({ unknown });
});

test('a body that is longer than a zip says is not read', async () => {
  const file = writeRecording(zipOf({ 'run.har': har.padEnd(40), 'a.json': '{}' }, 40));
  await expect(readRecording(file)).rejects.toThrow(/run\.har" is a damaged zip file: too many bytes in the stream/);
});

const mebibyte = Buffer.alloc(2 ** 20, ' ');
const bomb = Buffer.concat(Array.from({ length: 257 }, () => gzipSync(mebibyte)));

test.each<[string, string | Uint8Array, RegExp]>([
  ['nothing', '', /run\.har" is empty: expected a recording\./],
  ['a gzip bomb', bomb, /run\.har" contains more than 256 MiB\./],
  ['truncated gzip', gzipSync(har).subarray(0, 100), /run\.har" is damaged: unexpected end of file\./],
  ['a zip bomb', zipOf({ 'run.har': har }, 2 ** 31), /run\.har" contains more than 256 MiB\./],
  ['a truncated zip', zipOf({ 'run.har': har }).subarray(0, -30), /run\.har" is a damaged zip file: /],
  [
    'a zip without recording',
    zipOf({ 'a.json': har }),
    /run\.har" is a zip file without a \*\.har file: expected one\./,
  ],
  [
    'a zip with two',
    zipOf({ 'a.har': har, 'b.har': har }),
    /with 2 \*\.har files: expected one, found "a\.har", "b\.har"\./,
  ],
  ['deep JSON', `{"log":{"entries":${'['.repeat(600)}`, /run\.har": It is nested too deeply: more than 500 levels\./],
  ['many values', `{"log":{"entries":[${'0,'.repeat(5e6)}0]}}`, /run\.har": It has more than 5000000 values\./],
  ['UTF-16', Buffer.from(har, 'utf16le'), /run\.har" is encoded in UTF-16; expected UTF-8\./],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), /run\.har" is not UTF-8\./],
])('%s is rejected', async (_, content, message) => {
  await expect(readRecording(writeRecording(content))).rejects.toThrow(message);
});

test.each(['/dev/zero', '/no/such.har', '/'])('%s is rejected', async (file) => {
  await expect(readRecording(file)).rejects.toThrow(/^"\/.*" (?:is a|does not exist)/);
});

const recordings = path.join(import.meta.dirname, '../../../fixtures/recordings');
const noText = 'the recording does not contain it';
const noSecret = 'a secret was removed from it';
const interrupted = 'the response was interrupted';

/** Of each real recording: writer, exchanges, skipped entries, and unknown bodies of requests and responses, by reason. */
test.each([
  ['assay-exchanges.har', 'assay 0.1.0', 12, {}, {}, {}],
  ['chrome-har-http2.har', 'chrome-har 1.3.1', 8, {}, { [noText]: 2 }, {}],
  ['devtools-http2.har', 'WebInspector 537.36', 8, {}, {}, {}],
  ['firefox-http2.har', 'Firefox 153.8.0', 8, { 'not an HTTP request': 1 }, {}, {}],
  ['firefox-large-body.har.gz', 'Firefox 153.8.0', 1, { 'preflight request': 1 }, {}, { 'it is truncated': 1 }],
  ['mitmproxy-encodings.zhar', 'mitmproxy har_dump 0.1', 15, { WebSocket: 1 }, {}, {}],
  [
    'playwright-default.zip',
    'Playwright 1.65.1',
    45,
    { 'not an HTTP request': 1, 'no response': 2, 'URL without its secrets': 2 },
    { [noText]: 1 },
    { [interrupted]: 4, [noSecret]: 1 },
  ],
  [
    'playwright-resources-dir/run.har',
    'Playwright 1.65.1',
    12,
    { 'no response': 3, 'URL without its secrets': 1 },
    {},
    { [noSecret]: 1 },
  ],
  ['playwright-routes.har', 'Playwright 1.65.1', 3, { 'no response': 1, 'response that no server sent': 2 }, {}, {}],
  ['polly.har', 'Polly.JS 6.0.6', 3, {}, { [noText]: 1 }, {}],
  ['request-capture-har.har', 'request-capture-har 1.2.2', 5, {}, { [noText]: 1 }, { [noText]: 4 }],
])('%s of %s has %i exchanges', async (name, writer, count, skipped, requests, responses) => {
  const recording = await readRecording(path.join(recordings, name));
  expect(recording.writer).toBe(writer);
  expect(recording.exchanges).toHaveLength(count);
  expect(Object.fromEntries(recording.skipped)).toEqual(skipped);
  expect(unknownAmong(recording.exchanges.map(({ requestBody }) => requestBody))).toEqual(requests);
  expect(unknownAmong(recording.exchanges.map(({ responseBody }) => responseBody))).toEqual(responses);
});

function unknownAmong(bodies: readonly RecordedBody[]): Record<string, number> {
  const reasons = bodies.flatMap((body) => ('unknown' in body ? [body.unknown] : []));
  return Object.fromEntries(
    Map.groupBy(reasons, (reason) => reason)
      .entries()
      .map(([key, found]) => [key, found.length]),
  );
}

test('gzip that Polly.JS leaves in the body is decoded', async () => {
  const { exchanges } = await readRecording(path.join(recordings, 'polly.har'));
  expect(exchanges[0]?.responseBody).toEqual({ text: '[{"id":"ü"}]' });
});

test('a body of 1 MB beside the recording in a zip is read', async () => {
  const { exchanges } = await readRecording(path.join(recordings, 'playwright-default.zip'));
  const lengths = exchanges.map(({ responseBody }) => ('text' in responseBody ? responseBody.text.length : 0));
  expect(Math.max(...lengths)).toBeGreaterThan(900_000);
});

test('the times of older versions of assay show only the order', async () => {
  const { exchanges } = await readRecording(path.join(recordings, 'assay-exchanges.har'));
  expect(exchanges.filter((exchange) => 'startedAt' in exchange)).toEqual([]);
  expect(new Set(exchanges.map(({ credential }) => credential))).toEqual(
    new Set(['SVC_ADMIN_TOKEN', 'SVC_MEMBER_TOKEN']),
  );
});
