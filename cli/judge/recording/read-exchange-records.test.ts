import { expect, test } from 'vitest';
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { readRecording } from './read-recording.ts';
import { API, writeRecording } from './testing/recording-files.ts';

const record: ExchangeRecord = {
  number: 1,
  credential: 'SVC_ADMIN_TOKEN',
  request: {
    method: 'PUT',
    url: `${API}/agents/a?b=1%2C2`,
    headers: { authorization: 'Bearer $SVC_ADMIN_TOKEN', accept: ['a', 'b'] },
    body: '{}',
  },
  answer: { status: 200, headers: { 'content-type': 'application/json' }, body: null },
  durationMs: 5,
  findings: [],
};

const readRecords = (records: readonly object[], end = '') =>
  readRecording(writeRecording(`${records.map((each) => JSON.stringify(each)).join('\n')}\n${end}`, { name: 'x' }));

test('a record is an exchange', async () => {
  const { exchanges, skipped, writer } = await readRecords([record]);
  expect([writer, skipped.size]).toEqual(['assay test', 0]);
  expect(exchanges).toEqual([
    {
      source: expect.stringMatching(/x, exchange 1$/),
      method: 'PUT',
      url: `${API}/agents/a?b=1%2C2`,
      requestHeaders: [
        ['authorization', 'Bearer $SVC_ADMIN_TOKEN'],
        ['accept', 'a'],
        ['accept', 'b'],
      ],
      requestBody: { text: '{}' },
      status: 200,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: { text: '' },
      isCallerUnknown: false,
      isRepeat: false,
      credential: 'SVC_ADMIN_TOKEN',
    },
  ]);
});

test('exchanges are in the order of their numbers', async () => {
  const { exchanges } = await readRecords([{ ...record, number: 2 }, record]);
  expect(exchanges.map(({ source }) => source.slice(-1))).toEqual(['1', '2']);
});

test.each([
  [{ answer: null, failure: 'timeout' }, 'no response'],
  [{ request: { ...record.request, url: `${API}/${'a'.repeat(9)}… (5000 characters in all)` } }, 'invalid entry'],
  [{ request: { ...record.request, url: 'not a url' } }, 'invalid entry'],
  [{ request: { ...record.request, url: `${API}/a?code=(redacted)` } }, 'URL without its secrets'],
  [{ answer: 5 }, 'invalid entry'],
])('a record with %j is skipped: %s', async (members, reason) => {
  const { exchanges, skipped } = await readRecords([record, { ...record, ...members }]);
  expect(exchanges).toHaveLength(1);
  expect([...skipped]).toEqual([[reason, 1]]);
});

test('the last line of a killed run is skipped', async () => {
  const { exchanges, skipped } = await readRecords([record], '{"number":2,"req');
  expect(exchanges).toHaveLength(1);
  expect([...skipped]).toEqual([['invalid entry', 1]]);
});

test.each([
  ['[{"a":1}… (5000 characters in all)', 'it is truncated'],
  ['{"access_token":"(redacted)"}', 'a secret was removed from it'],
  ['client_id=a&client_secret=$SVC_CLIENT_SECRET', 'a secret was removed from it'],
])('the body %s is unknown', async (body, unknown) => {
  const { request, answer } = record;
  const { exchanges } = await readRecords([{ ...record, request: { ...request, body }, answer: { ...answer, body } }]);
  expect(exchanges[0]).toMatchObject({ requestBody: { unknown }, responseBody: { unknown } });
});

test.each([
  ['without credential', {}, false],
  ['with a credential that no variable has', { authorization: 'Bearer (redacted)' }, true],
  ['with an invented credential', { authorization: 'Bearer nonsense' }, false],
])('the caller of a request %s', async (_, headers, isUnknown) => {
  const { credential: _variable, ...rest } = record;
  const { exchanges } = await readRecords([{ ...rest, request: { ...record.request, headers } }]);
  expect(exchanges[0]?.isCallerUnknown).toBe(isUnknown);
});
