import { describe, expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { Unknown } from '../../suites/judge/seen.ts';
import { onlyStranger, readExchange, type ReadExchange } from './read-exchange.ts';
import type { RecordedExchange } from './recording/recorded-exchange.ts';
import { trafficTargetOf } from './traffic-target.ts';

const file: TargetFile = {
  addresses: { management: 'https://api.example.com:443/v0/', inference: 'https://run.example.com' },
  credentials: { admin: { value: 'token-of-the-admin' }, scoped: { 'agents:get': { env: 'GET_TOKEN' } } },
};

const recorded: RecordedExchange = {
  source: 'traffic.har, entry 1',
  method: 'GET',
  url: 'https://api.example.com/v0/accounts?x=1#fragment',
  requestHeaders: [['Authorization', 'Bearer token-of-the-admin']],
  requestBody: { text: '' },
  status: 200,
  responseHeaders: [['Content-Type', 'application/json']],
  responseBody: { text: '\ufeff[]' },
  startedAt: 1000,
  endedAt: 1250,
  isCallerUnknown: false,
  isRepeat: false,
};

const reading = { isOnlyStranger: onlyStranger(), isReserialized: false };
const read = (changes: Partial<RecordedExchange> = {}, options = reading) =>
  readExchange({ ...recorded, ...changes }, trafficTargetOf(file, { GET_TOKEN: 'token-of-another' }), options);

function readable(...given: Parameters<typeof read>): ReadExchange {
  const found = read(...given);
  if ('skipped' in found) throw new Error(found.skipped);
  return found;
}

test('an exchange has its operation, times, and the credential of the target file', () => {
  const { seen, exchange } = readable();
  expect(seen.operation.id).toBe('listAccounts');
  expect(seen.query).toEqual([['x', '1']]);
  expect({ caller: seen.caller, json: seen.json, sentAt: seen.sentAt }).toEqual({
    caller: 'admin',
    json: [],
    sentAt: 1000,
  });
  expect(exchange).toMatchObject({ credential: 'SVC_ADMIN_TOKEN', durationMs: 250, shape: [] });
});

describe('the caller', () => {
  const withHeaders = (...headers: [string, string][]) => readable({ requestHeaders: headers });

  test('has the scope of the target file', () => {
    expect(withHeaders(['X-Svc-Authorization', 'Bearer token-of-another']).seen.caller).toEqual({
      scope: 'agents:get',
    });
  });

  test('is named by recordings of assay', () => {
    const requestHeaders = [['authorization', 'Bearer $SVC_ADMIN_TOKEN']] as const;
    expect(readable({ requestHeaders, credential: 'SVC_ADMIN_TOKEN' }).seen.caller).toBe('admin');
  });

  test('is another one with an unknown credential, and unknown with a second such credential', () => {
    const options = { isOnlyStranger: onlyStranger(), isReserialized: false };
    const callerWith = (token: string) =>
      readable({ requestHeaders: [['authorization', `Bearer ${token}`]] }, options).seen;
    expect(callerWith('one').caller).toBe('other');
    expect(() => callerWith('two').caller).toThrow(Unknown);
    expect(callerWith('one').caller).toBe('other');
  });

  test('is nobody without a credential', () => {
    expect(withHeaders(['Accept', '*/*']).seen.caller).toBe('none');
  });

  test.each([
    ['a cookie', { requestHeaders: [['Cookie', 'session=1']] as const }],
    ['a key in a header', { requestHeaders: [['X-Api-Key', 'k']] as const }],
    ['a token in the URL', { url: `${recorded.url.split('#', 1)[0]}&access_token=t`, requestHeaders: [] }],
    ['a credential that the writer removed', { isCallerUnknown: true }],
  ])('is unknown with %s', (_, changes) => {
    const { seen } = readable(changes);
    expect(() => seen.caller).toThrow(Unknown);
  });
});

describe('unknown parts', () => {
  test('throw, also if a rule reads the exchange itself', () => {
    const { seen, exchange, unknown } = readable({
      requestBody: { unknown: 'removed' },
      responseBody: { unknown: 'removed' },
      responseHeaders: [],
    });
    expect([...unknown].sort()).toEqual(['the request body', 'the response body', 'the response headers']);
    for (const access of [
      () => seen.sent,
      () => seen.json,
      () => seen.exchange.request.body,
      () => seen.exchange.response.json,
      () => seen.exchange.response.text,
      () => seen.exchange.response.headers,
    ])
      expect(access).toThrow(Unknown);
    expect(exchange).toMatchObject({ response: { text: '', headers: {} }, shape: [] });
  });

  test('the text of a response that was written again is unknown, its values are not', () => {
    const { seen } = readable({}, { ...reading, isReserialized: true });
    expect(seen.json).toEqual([]);
    expect(() => seen.exchange.response.text).toThrow(Unknown);
  });

  test('a response of bytes is unknown', () => {
    expect([...readable({ responseBody: { text: '\u00ff', bytes: true } }).unknown]).toEqual(['the response body']);
  });
});

test.each([
  ['another origin', { url: 'https://cdn.example.com/v0/accounts' }],
  ['no operation of the interface', { url: 'https://api.example.com/v0/nothing-here' }],
  ['no operation of the interface', { url: 'https://api.example.com/v0/x/../accounts' }],
  ['no response', { status: 0 }],
  ['HEAD request', { method: 'HEAD' }],
  ['status 304', { status: 304 }],
  ['repeat of an earlier response', { isRepeat: true }],
  ['preflight request', { method: 'OPTIONS', requestHeaders: [['Access-Control-Request-Method', 'GET']] as const }],
])('is skipped: %s', (skipped, changes) => {
  expect(read(changes)).toEqual({ skipped });
});
