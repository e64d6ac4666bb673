/** A string with each of its letters in either case. */
import * as fc from 'fast-check';

export function letterCases(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      [...text].map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    );
}
