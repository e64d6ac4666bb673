import { expect, test } from 'vitest';
import { testExchange } from '../testing/test-run.ts';
import { sharedUrls } from './shared-urls.ts';

type Returned = readonly [name: string | undefined, url: unknown, operation?: 'updateAgent' | 'createFunction'];

const mismatchCount = (...all: readonly Returned[]): number =>
  sharedUrls(
    all.map(([name, url, operation = 'updateAgent']) => ({
      ...testExchange,
      operation,
      response: { ...testExchange.response, json: { metadata: { name, url } } },
    })),
  ).length;

const URL_A = 'https://run.example/main/agents/a';
const URL_B = 'https://run.example/main/agents/b';

test.each<[string, readonly Returned[]]>([
  ['each have their own', [...[1, 2].map(() => ['a', URL_A] as const), ['b', URL_B]]],
  [
    'have another one after an update, or for another caller',
    [
      ['a', URL_A],
      ['a', `${URL_A}?region=eu`],
      ['b', URL_B],
    ],
  ],
  [
    'have none before they are deployed',
    [
      ['a', undefined],
      ['b', null],
      ['c', ''],
      ['d', ''],
    ],
  ],
  [
    'take that of a function that was removed',
    [
      ['tool', URL_A, 'createFunction'],
      ['a', URL_A],
    ],
  ],
  [
    'lack a name in the response',
    [
      ['a', URL_A],
      [undefined, URL_A],
    ],
  ],
])('agents may %s', (_, all) => {
  expect(mismatchCount(...all)).toBe(0);
});

test('two agents with one URL are one mismatch, however often they are returned', () => {
  expect(mismatchCount(['a', URL_A], ['b', URL_A], ['a', URL_A], ['b', URL_A])).toBe(1);
});
