import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords } from './words.ts';
import type { Word } from './words.ts';

const text = (words: readonly Word[]): string => words.map((word) => word.text).join('');
const marked = (words: readonly Word[]): string[] => words.filter(({ differs }) => differs).map((word) => word.text);

test.each([
  ['status 400', 'status 200', ['400'], ['200']],
  ['error: a string', 'error: absent', ['a string'], ['absent']],
  ['resolution daily', 'hourly', ['resolution daily'], ['hourly']],
  ['the same', 'the same', [], []],
  ['a, b, c', 'a, c', ['b,'], []],
])('of %j and %j only what differs is marked', (left, right, ofLeft, ofRight) => {
  const compared = diffWords(left, right);
  expect([marked(compared.left), marked(compared.right)]).toEqual([ofLeft, ofRight]);
});

test('both texts stay complete, and their unmarked words are equal', () => {
  const sentence = fc.array(fc.constantFrom('a', 'bc', ' ', ',', '\u202e', '1.5')).map((words) => words.join(''));
  fc.assert(
    fc.property(sentence, sentence, (left, right) => {
      const compared = diffWords(left, right);
      expect([text(compared.left), text(compared.right)]).toEqual([left, right]);
      const shared = (words: readonly Word[]): string =>
        text(words.filter(({ differs }) => !differs)).replaceAll(' ', '');
      expect(shared(compared.left)).toBe(shared(compared.right));
    }),
  );
});
