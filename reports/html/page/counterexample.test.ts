import { expect, test } from 'vitest';
import type { Counterexample, ExchangeRecord, HeaderRecord } from '../../../spec/verdicts.ts';
import { isUnexpectedStatus, relatedExchanges, unexpectedWords } from './counterexample.ts';

const sent = (
  number: number,
  method: string,
  url: string,
  body: string | null = null,
  headers: HeaderRecord = {},
): ExchangeRecord => ({
  number,
  request: { method, url, headers, body },
  answer: { status: 200, headers: {}, body: null },
  durationMs: 1,
  findings: [],
});

const found = (curl: string, more: Partial<Counterexample> = {}): Counterexample => ({
  input: {},
  seed: 1,
  path: '',
  expected: 'status 400',
  actual: 'status 200',
  curl,
  ...more,
});

const all = [
  sent(1, 'GET', 'http://a/x'),
  sent(2, 'PUT', 'http://a/x', '{"a":1}'),
  sent(3, 'GET', 'http://a/x?q=1', null, { a: 'b' }),
  sent(4, 'PUT', 'http://a/x', '{"a":2}'),
  sent(5, 'GET', 'http://a/x'),
  sent(6, 'DELETE', 'http://a/x'),
  sent(7, 'PUT', 'http://a/y', `{"name":"${'n'.repeat(40)}","first":1}`),
  sent(8, 'PUT', 'http://a/y', `{"name":"${'n'.repeat(40)}","second":`),
  sent(9, 'HEAD', 'http://a/x'),
  sent(10, 'DELETE', 'http://a/z', '\xff'),
  sent(11, 'PUT', 'http://a/w', 'true'),
];

test.each([
  ["curl -sS -i 'http://a/x?q=1' -H 'a: b'", [3]],
  ['curl -sS -i http://a/x', [5]],
  [`curl -sS -i -X PUT http://a/x --data-raw '{"a":1}'`, [2]],
  ['curl -sS -i -X DELETE http://a/x', [6]],
  [`curl -sS -i -X PUT http://a/x --data-raw '{"a":2}'\ncurl -sS -i http://a/x`, [4, 5]],
  ['curl -sS -i http://elsewhere/', []],
  [`curl -sS -i -X PUT http://a/y --data-raw '{"name":"${'n'.repeat(40)}","first":1}'`, [7]],
  [`curl -sS -i -X PUT http://a/y --data-raw '{"name":"${'n'.repeat(40)}","third":1}'`, [8]],
  ['curl -sS -i --head http://a/x', [9]],
  [String.raw`printf '\377' | curl -sS -i -X DELETE http://a/z --data-binary @-`, [10]],
  [`curl -sS -i -X PUT http://a/w --data-raw '{"a":"true"}'`, []],
  ['curl -sS -i -X PUT http://a/w --data-raw false', []],
  ['curl -sS -i -X PUT http://a/w --data-raw true', [11]],
  ["curl -sS -i 'http://a/x?q=1'", []],
  ['curl -sS -i http://a/x\ncurl -sS -i http://a/x', [1, 5]],
  ['curl -sS -i -X DELETE http://a/x\ncurl -sS -i -X DELETE http://a/x', [6]],
  [
    `curl -sS -i -X PUT http://a/x --data-raw '{"a":1}' &\ncurl -sS -i http://a/x &  # x\nwait\ncurl -sS -i -X DELETE http://a/x`,
    [2, 5, 6],
  ],
  ['', [11]],
])('%s is about the exchanges %j', (curl, numbers) => {
  expect(relatedExchanges(found(curl), all).map(({ number }) => number)).toEqual(numbers);
});

const ADMIN = 'Bearer $SVC_ADMIN_TOKEN';
const VERSION = '2026-01-01';
const byHeaders = [
  { authorization: ADMIN },
  { 'x-svc-authorization': ADMIN },
  { authorization: ADMIN, 'svc-version': VERSION },
  { authorization: ADMIN, 'svc-version': [VERSION, '2026-02-02'] },
  { authorization: ADMIN, 'svc-version': '' },
  { authorization: 'Bearer $SVC_MEMBER_TOKEN' },
  {},
].map((headers, index) => sent(index + 1, 'GET', 'http://a/x', null, headers));

const asAdmin = `-H 'Authorization: Bearer '"$SVC_ADMIN_TOKEN"`;

test.each([
  [`${asAdmin}  # set $SVC_… to the credentials`, 1],
  [`-H 'X-Svc-Authorization: Bearer '"$SVC_ADMIN_TOKEN"`, 2],
  [`-H 'Svc-Version: ${VERSION}' ${asAdmin}`, 3],
  [`${asAdmin} -H 'Svc-Version: ${VERSION}' -H 'Svc-Version: 2026-02-02'`, 4],
  [`${asAdmin} -H 'Svc-Version;'`, 5],
  [`-H 'Authorization: Bearer '"$SVC_MEMBER_TOKEN"`, 6],
  ['', 7],
])('of requests to one address, %s is about the one with these headers', (headers, number) => {
  const curl = `curl -sS -i http://a/x ${headers}`;
  expect(relatedExchanges(found(curl), byHeaders).map((each) => each.number)).toEqual([number]);
});

test('a status is unexpected if the counterexample names it', () => {
  const response = { status: 200, headers: {}, body: null };
  const counterexample = found('');
  expect(isUnexpectedStatus(response, counterexample, unexpectedWords(counterexample))).toBe(true);
  const other = found('', { expected: 'cost 100', actual: 'cost 200' });
  expect(isUnexpectedStatus(response, other, unexpectedWords(other))).toBe(false);
});
