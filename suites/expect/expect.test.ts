import { expect, test } from 'vitest';
import type { Exchange } from '../target/exchange.ts';
import { errorBody, sandboxErrorBody } from './error-body.ts';
import { isJson } from './is-json.ts';
import { status, statusClass } from './status.ts';

function exchangeWith(code: number, text: string, contentType = 'application/json'): Exchange {
  const json = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType };
  return {
    request: { method: 'GET', url: 'http://a', headers: {} },
    response: { status: code, headers, text, json },
    shape: [],
    durationMs: 1,
    repeatedAfter: [],
    surface: 'management',
  };
}

test('status accepts one status or several', () => {
  expect(status(exchangeWith(401, ''), [401, 403])).toEqual([]);
  expect(status(exchangeWith(404, ''), [401, 403])).toMatchObject([
    { expected: 'status 401 or 403', actual: 'status 404' },
  ]);
});

test('a status class includes its first and last status', () => {
  for (const code of [400, 499]) expect(statusClass(exchangeWith(code, ''), '4xx')).toEqual([]);
  for (const code of [399, 500]) expect(statusClass(exchangeWith(code, ''), '4xx')).toHaveLength(1);
});

test.each(['application/json', 'application/json; charset=utf-8', 'Application/Problem+JSON'])(
  '%s is a JSON media type',
  (type) => {
    expect(isJson(exchangeWith(400, '{}', type))).toEqual([]);
  },
);

test.each(['text/plain', 'application/jsonp', 'text/json', ''])('%j is not a JSON media type', (type) => {
  expect(isJson(exchangeWith(400, '{}', type))).toHaveLength(1);
});

test('a body that is not JSON is a mismatch', () => {
  expect(isJson(exchangeWith(400, 'Bad Request'))).toMatchObject([{ expected: 'a JSON body' }]);
});

test('an Error body requires error, and code and message have their types if present', () => {
  expect(errorBody(exchangeWith(400, '{"error": "x"}'))).toEqual([]);
  expect(errorBody(exchangeWith(400, '{"error": "x", "code": 400, "message": "y", "more": 1}'))).toEqual([]);
  expect(errorBody(exchangeWith(400, '{"error": "x", "code": null, "message": null}'))).toEqual([]);
  expect(errorBody(exchangeWith(400, '{"error": null, "code": "400", "message": 1}'))).toHaveLength(3);
  expect(errorBody(exchangeWith(400, '{"code": "400", "message": 1}'))).toHaveLength(3);
  expect(errorBody(exchangeWith(400, '"x"'))).toHaveLength(1);
});

test('a sandbox error body requires error', () => {
  expect(sandboxErrorBody(exchangeWith(404, '{"error": "x"}'))).toEqual([]);
  expect(sandboxErrorBody(exchangeWith(404, '{"error": {}}'))).toHaveLength(1);
});
