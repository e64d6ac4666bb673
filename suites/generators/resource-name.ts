/** Valid and invalid endings of resource names, which follow the prefix of the run. */
import * as fc from 'fast-check';

const alphanumerics = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits. Not `stringMatching`, because fast-check would slowly search for the inputs of each example. */
export const word = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphanumerics), { minLength, maxLength }).map((letters) => letters.join(''));

/** Words with single hyphens between them. */
export const nameEnding: fc.Arbitrary<string> = fc
  .array(word(1, 10), { minLength: 1, maxLength: 6 })
  .map((words) => words.join('-'));

/** Together they contain every letter and digit. */
export const nameEndings: readonly string[] = [
  'a',
  '0',
  'a-b-c-d-e-f-g-h',
  '0-9',
  '1234567890',
  'x9-0y',
  ...(alphanumerics.match(/.{1,12}/g) ?? []),
];

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Every ASCII character that is invalid in a name. */
export const otherAscii: readonly string[] = ascii.filter((character) => !/[a-z0-9-]/.test(character));

/** Non-ASCII characters that look like a letter, digit or hyphen, that become one by case conversion, or that are invisible. */
export const lookalikes: readonly string[] = [
  ...'éßñøıſKµªº²①Ⅷ٣०５ａＡабо漢あ가',
  ...'\u00ad\u2010\u2011\u2013\u2212\uff0d\u200b\u200d\u00a0\u2028\ufeff',
  'e\u0301',
  '\u{1d41a}',
  '\u{1f680}',
];

/** One character that is invalid in a name. */
export const otherCharacter: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...otherAscii),
  fc.constantFrom(...lookalikes),
  fc
    .integer({ min: 0x80, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code))
    .filter((character) => character.isWellFormed()),
);

/** JSON values other than strings, including null: a name must not be null, whether it counts as omitted or not. */
export const nonStringOrNull: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 1e21),
  fc.integer(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 5 }), { maxKeys: 2 }),
);
