import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { matchesHead, matchesRequest, type ReceivedRequest } from './request-match.ts';
import type { RecordedMatch } from './rule-formats.ts';

test('the body of a request is parsed once for all rules', async () => {
  const req = Readable.from([Buffer.from('{"a":{"b":1},"c":2}')], { objectMode: false });
  const ctx = { req, method: 'POST', path: '/', headers: {} } as unknown as ReceivedRequest;
  const parse = vi.spyOn(JSON, 'parse');
  const matches = [{ a: { b: 1 } }, { c: 3 }, {}].map((body) => matchesRequest(ctx, { body }));
  expect(await Promise.all(matches)).toEqual([true, false, true]);
  expect(parse).toHaveBeenCalledTimes(1);
});

test.each<[string, NonNullable<RecordedMatch['query']>, boolean]>([
  ['limit=2&cursor=abc', { cursor: '*' }, true],
  ['limit=2&cursor=abc', { cursor: 'abc', limit: 2 }, true],
  ['cursor=abc&limit=2', { limit: '2', cursor: 'a*' }, true],
  ['limit=2', { cursor: '*' }, false],
  ['limit=2', { cursor: null, limit: '*' }, true],
  ['cursor=', { cursor: null }, false],
  ['cursor=', { cursor: '' }, true],
  ['cursor', { cursor: '*' }, true],
  ['CURSOR=abc', { cursor: 'abc' }, false],
  ['groupBy=a%2Cb', { groupBy: 'a,b' }, true],
  ['groupBy=a,b', { groupBy: 'a,b' }, true],
  ['group%42y=a', { groupBy: 'a' }, true],
  ['name=a+b', { name: 'a b' }, true],
  ['name=a%20b', { name: 'a b' }, true],
  ['name=%E0%A4', { name: '*' }, true],
  ['name=a&name=b', { name: 'b' }, true],
  ['name=a&name=b', { name: 'a*b' }, false],
  ['public=true', { public: true }, true],
  ['', { __proto__: null }, true],
  ['', { toString: '*' }, false],
  ['', {}, true],
])('the query %j matches %j: %j', (sent, query, expected) => {
  const head = { method: 'GET', path: '/', headers: {}, operation: undefined, query: new URLSearchParams(sent) };
  expect(matchesHead(head, { query })).toBe(expected);
});

test.each([
  ['/v0/agents/demo', '/v0/agents/*', true],
  ['/filesystem/tree/my%20file', '/filesystem/tree/my file', true],
  ['/filesystem/tree/my%20file', '/filesystem/tree/my%20file', true],
  ['/filesystem/tree/%E0%A4', '/filesystem/tree/*', true],
  ['/v0/agents', '/v0/agent', false],
])('the path %s matches %s: %j', (path, pattern, expected) => {
  const head = { method: 'GET', path, headers: {}, operation: undefined, query: new URLSearchParams() };
  expect(matchesHead(head, { path: pattern })).toBe(expected);
});
