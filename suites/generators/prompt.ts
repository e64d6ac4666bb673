/** Prompts for a workload: words in several scripts, and characters that reveal wrong quoting or parsing. */
import * as fc from 'fast-check';
import { beginnings, shrinkable } from './shrinkable.ts';

const WORDS = [
  'hello',
  'order',
  '42',
  'null',
  '{"inputs": "x"}',
  '"quoted"',
  "it's",
  'C:\\temp',
  '100 %',
  '<b>bold</b>',
  '${HOME}',
  'a&b=c',
  'first\nsecond',
  'one\r\ntwo',
  'naïve',
  'привет',
  '日本語',
  '🙂',
];

/** 1 to 8 words. */
export const prompt: fc.Arbitrary<string> = shrinkable(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
  beginnings,
);

/** Tested first: short, long and unusual prompts. */
export const prompts: readonly string[] = [
  'hello',
  '?',
  'null',
  '0',
  ' hello ',
  'first line\nsecond line\n\nfourth line',
  '{"inputs": "hello"}',
  '日本語, naïve, 🙂',
  'hello '.repeat(160),
];
