/** Well-formed strings of any Unicode code points, assigned or not. */
import * as fc from 'fast-check';

const FIRST_SURROGATE = 0xd8_00;
const SURROGATES = 0x8_00;

/** fast-check's own unit `binary` takes a second to create, because it lists all of them. */
const character = fc
  .nat({ max: 0x10_ff_ff - SURROGATES })
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES));

export const unicodeString = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
