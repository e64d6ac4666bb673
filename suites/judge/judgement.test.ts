import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Exchange } from '../target/exchange.ts';
import { NotTried } from '../target/violation.ts';
import { openJudgeBook } from './judge-book.ts';
import { alsoJudges, equals, judgements, judges, refuses, registration } from './judgement.ts';
import { seenOf, type Facts, type Part, type Seen } from './seen.ts';

const facts: Facts = {
  addresses: { management: 'https://api.example/v0' },
  brand: 'Svc',
  credentials: { member: { name: 'SVC_MEMBER_TOKEN', value: 'member-token' }, scoped: {} },
};

const rule: MustId = 'images.cleanup.answer-shape';
let before: [MustId, NonNullable<ReturnType<typeof judgements.get>>][] = [];
beforeEach(() => {
  before = [...judgements];
  judgements.clear();
});
afterEach(() => {
  judgements.clear();
  for (const [id, judgement] of before) judgements.set(id, judgement);
});

interface Given {
  url?: string;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  credential?: string;
}

function exchangeOf({ url = '/images', status = 200, body = {}, headers = {}, credential }: Given): Exchange {
  return {
    surface: 'management',
    ...(credential !== undefined && { credential }),
    request: { method: 'GET', url: `https://api.example/v0${url}`, headers },
    response: { status, headers: {}, text: JSON.stringify(body), json: body },
    shape: [],
    durationMs: 1,
    repeatedAfter: [],
  };
}

function findingOf(given: readonly Given[], unknown?: ReadonlySet<Part>) {
  const book = openJudgeBook(facts);
  for (const each of given) book.see(seenOf(exchangeOf(each), facts, unknown)!);
  return book.findings().get(rule);
}

test('the operation of a request is found by its address, and none by another address', () => {
  expect(seenOf(exchangeOf({ url: '/vpcs/a%20b?x=1&x=2' }), facts)).toMatchObject({
    operation: { id: 'getVpc' },
    path: { vpcName: 'a b' },
    query: [
      ['x', '1'],
      ['x', '2'],
    ],
  });
  const head = exchangeOf({});
  expect(seenOf({ ...head, request: { ...head.request, method: 'HEAD' } }, facts)).toBeUndefined();
  const elsewhere = { ...facts, addresses: { management: 'https://other.example/v0' } };
  expect(seenOf(exchangeOf({}), elsewhere)).toBeUndefined();
});

test.each([
  ['none', {}],
  ['member', { headers: { authorization: '$SVC_MEMBER_TOKEN' }, credential: 'SVC_MEMBER_TOKEN' }],
  ['other', { headers: { 'X-SVC-Authorization': 'Bearer x' } }],
])('the caller is %s', (caller, given) => {
  expect(seenOf(exchangeOf(given), facts)?.caller).toBe(caller);
});

describe('a rule that judges one exchange', () => {
  test('counts those that it judged and keeps the first violation', () => {
    judges(rule, 'listImages', ({ status, exchange }) =>
      status === 404 ? undefined : status === 200 ? [] : [{ expected: '200', actual: String(status), exchange }],
    );
    const finding = findingOf([{ status: 404 }, {}, { status: 500 }, { status: 501 }, { url: '/vpcs', status: 500 }]);
    expect(finding).toMatchObject({ judged: 3, violations: 2, first: [{ actual: '500' }] });
  });

  test('names the contexts in which it judged nothing', () => {
    const contexts = {
      'of one page': (seen: Seen) => seen.parameter('page') === '1',
      'of two pages': (seen: Seen) => seen.parameter('page') === '2',
    };
    judges(rule, 'listImages', ({ status }) => (status === 200 ? [] : undefined), contexts);
    expect(findingOf([{ url: '/images?page=1' }, { url: '/images?page=2', status: 404 }])).toMatchObject({
      missing: ['of two pages'],
    });
  });

  test('decides nothing if the exchange lacks what it needs', () => {
    judges(rule, 'listImages', () => {
      throw new NotTried('an image');
    });
    expect(findingOf([{}])).toMatchObject({ judged: 0, first: undefined });
  });

  test('decides nothing about a part that the recording lacks', () => {
    judges(rule, 'listImages', ({ json }) => (json === 7 ? [] : []));
    const finding = findingOf([{}], new Set(['the response body']));
    expect(finding).toMatchObject({ judged: 0, first: undefined });
    expect([...finding!.unknown]).toEqual([['the response body', 1]]);
  });

  test('finds a violation although another judgement of the rule lacks a part', () => {
    judges(rule, 'listImages', ({ status, exchange }) =>
      status === 200 ? [{ expected: '400', actual: '200', exchange }] : [],
    );
    alsoJudges(rule, ({ json }) => (json === 7 ? [] : []));
    const lacksBody = new Set<Part>(['the response body']);
    expect(findingOf([{}], lacksBody)).toMatchObject({ judged: 1, violations: 1, first: [{ actual: '200' }] });
    expect(findingOf([{ status: 400 }], lacksBody)).toMatchObject({ judged: 0, first: undefined });
  });
});

describe('a second judgement of a rule', () => {
  test('is an error', () => {
    judges(rule, 'listImages', () => []);
    expect(() => judges(rule, 'listImages', () => undefined)).toThrow('has two judgements');
  });

  test('is ignored if the suite files are only evaluated again', () => {
    judges(rule, 'listImages', () => []);
    const first = judgements.get(rule);
    registration.hasEnded = true;
    judges(rule, 'listImages', () => undefined);
    alsoJudges(rule, () => undefined);
    registration.hasEnded = false;
    expect(judgements.get(rule)).toBe(first);
  });
});

describe('a rule that refuses', () => {
  beforeEach(() => {
    refuses(rule, 'listImages', { isFlawed: (seen) => seen.parameter('bad') !== undefined, status: 400 });
    const other: MustId = 'images.cleanup.keeps-images-in-use';
    refuses(other, 'listImages', { isFlawed: (seen) => seen.parameter('other') !== undefined, status: 404 });
  });

  test.each([
    ['accepts what it should refuse', { url: '/images?bad=1' }],
    ['refuses with another status', { url: '/images?bad=1', status: 422 }],
    ['fails', { url: '/images?bad=1', status: 500 }],
  ])('is broken by a target that %s', (_, given) => {
    expect(findingOf([given])).toMatchObject({ judged: 1, violations: 1 });
  });

  test('looks for the flaw of each rule once per exchange', () => {
    const isFlawed = vi.fn<() => boolean>(() => true);
    refuses('images.cleanup.second-deletes-none', 'listImages', { isFlawed, status: 400 });
    findingOf([{ url: '/images?bad=1', status: 400 }, {}]);
    expect(isFlawed).toHaveBeenCalledTimes(2);
  });

  test('is kept by the documented refusal', () => {
    expect(findingOf([{ url: '/images?bad=1', status: 400 }])).toMatchObject({ judged: 1, violations: 0 });
  });

  test.each([
    ['the request is valid', { url: '/images' }],
    ['the caller may not ask', { url: '/images?bad=1', status: 403 }],
    ['there were too many requests', { url: '/images?bad=1', status: 429 }],
    ['a gateway responds with 302', { url: '/images?bad=1', status: 302 }],
    ['a gateway responds with 414', { url: '/images?bad=1', status: 414 }],
    ['a gateway responds with a status of its own', { url: '/images?bad=1', status: 522 }],
    ['another version of the API is accepted', { url: '/images?bad=1', headers: { 'svc-version': '2027-01-01' } }],
    ['another rule refuses it with another status', { url: '/images?bad=1&other=1' }],
  ])('decides nothing if %s', (_, given) => {
    expect(findingOf([given])).toMatchObject({ judged: 0 });
  });
});

describe('two requests that mean the same', () => {
  beforeEach(() => {
    equals(rule, 'listImages', {
      keyOf: (seen) => seen.parameter('key'),
      formOf: (seen) => seen.exchange.request.url,
      compare: (first, { text, exchange }) =>
        first.text === text ? [] : [{ expected: first.text, actual: text, exchange }],
    });
  });

  test('agree, or the second one is the violation', () => {
    const same = [{ url: '/images?key=a' }, { url: '/images?key=%61' }];
    expect(findingOf(same)).toMatchObject({ judged: 1, violations: 0 });
    expect(findingOf([...same, { url: '/images?key=a&', body: [] }])).toMatchObject({ judged: 2, violations: 1 });
  });

  test('show nothing alone, in the same form, or with another key', () => {
    const given = [{ url: '/images?key=a' }, { url: '/images?key=a', body: [] }, { url: '/images?key=b', body: [] }];
    expect(findingOf(given)).toMatchObject({ judged: 0 });
  });

  test('are forgotten when too much is remembered', () => {
    const long = 'x'.repeat(2 ** 18);
    const given = ['a', 'b', 'c', '%61'].map((key) => ({ url: `/images?key=${key}`, body: long + key }));
    expect(findingOf(given)).toMatchObject({ judged: 0 });
    expect(findingOf([given[0]!, given[3]!])).toMatchObject({ judged: 1, violations: 1 });
  });
});
