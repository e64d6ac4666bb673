/** Human-readable strings: display names and label values. */
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';

const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
/** Unchanged by every Unicode normalization form. */
const beyondAscii = [...'éüñßøλжשع漢字かな한€→', '\u{1f680}', '\u{1d11e}'];

const joined = (letters: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { minLength, maxLength, size: 'max' }).map((each) => each.join(''));

/** Visible ASCII and single spaces. Without surrounding spaces, because whether they count is undocumented. */
export const asciiText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  joined([...visible, ' ', ' '], minLength, maxLength).map((text) => text.replaceAll(/^ | $| (?= )/g, '_'));

/** Not longer than a displayName may be, in characters, UTF-16 units and bytes alike. */
const unicodeText: fc.Arbitrary<string> = joined(beyondAscii, 1, 15);

export const readableText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: asciiText(1, maxLength) }, { weight: 1, arbitrary: unicodeText });

/** Strings that are often corrupted in transit: markup, escapes, placeholders, numbers and JSON literals. */
export const trickyTexts: readonly string[] = [
  visible.slice(0, limits.displayNameLength).join(''),
  visible.slice(-limits.displayNameLength).join(''),
  `"'\`\\/<b>&amp;%20%s{{x}}\${y}#;--`,
  'A%20B C\u{a0}D \u{1f469}\u{200d}\u{1f4bb}',
  '0123',
  '1e3',
  'null',
  'true',
  '-',
  'Ünï côdé 漢字 \u{1f680}',
];
