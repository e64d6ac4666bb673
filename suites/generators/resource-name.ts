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
const matching = (form: RegExp): string[] => ascii.filter((character) => form.test(character));

/** Characters that are invalid in a name by the mistake of a server that accepts them, the most likely one first. */
export const otherCharacters: Readonly<Record<string, readonly string[]>> = {
  'upper-case letter': matching(/[A-Z]/),
  underscore: ['_'],
  dot: ['.'],
  space: [' '],
  slash: ['/'],
  'letter with an accent': [...'éßñøа'],
  'line break': ['\n'],
  'null character': ['\u0000'],
  'at sign or colon': ['@', ':'],
  tab: ['\t'],
  'other control character': matching(/\p{Cc}/u).filter((character) => !'\t\n\0'.includes(character)),
  'letter whose other case is ASCII': [...'\u0131\u017f\u212a'],
  'letter without case': [...'漢あ가'],
  'full-width letter': ['ａ'],
  'other letter that is normalized': [...'Ａªº①Ⅷ²µ', '\u{1d41a}'],
  'digit of another script': [...'٣०５'],
  hyphen: [...'\u2010\u2011\u2013\u2212\uff0d'],
  'invisible character': [...'\u00ad\u200b\u200d\ufeff'],
  'other space': [...'\u00a0\u2028'],
  'combining character': ['e\u0301'],
  emoji: ['\u{1f680}'],
};

/** Printable ASCII characters that are in none of these classes: servers accept them less often. */
export const otherAscii: readonly string[] = matching(/[^\w\-. /@:\p{Cc}]/u);

/** One character that is invalid in a name. */
export const otherCharacter: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...otherAscii),
  fc.constantFrom(...Object.values(otherCharacters).flat()),
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
