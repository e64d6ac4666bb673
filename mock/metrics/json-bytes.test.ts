import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  jsonBytes,
  longestDecimal,
  piecesOf,
  writeDecimal,
  writePiece,
  writeSeries,
  writeText,
  written,
} from './json-bytes.ts';

test('a decimal is exact and as short as JSON.stringify prints it', () => {
  const digits = fc.oneof(fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 0, max: 999_999_999_999_999 }));
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 6 }), (number, decimals) => {
      const out = jsonBytes(longestDecimal(number));
      writeDecimal(out, number, decimals);
      expect(written(out).toString()).toBe(JSON.stringify(number / 10 ** decimals));
      expect(out.at).toBeLessThanOrEqual(longestDecimal(number));
    }),
    { numRuns: 500 },
  );
});

test('a decimal near 2^53 keeps all digits', () => {
  const out = jsonBytes(50);
  writeDecimal(out, 8_999_999_999_999_999, 6);
  expect(written(out).toString()).toBe('8999999999.999999');
});

test.each([2 ** 53, 2 ** 60, 1e21, 1.5e28, 1.7e300])(
  '%d has more digits than a number can have, and is still JSON',
  (digits) => {
    for (const decimals of [0, 2, 6]) {
      const out = jsonBytes(longestDecimal(digits));
      writeDecimal(out, digits, decimals);
      expect(JSON.parse(written(out).toString())).toBe(digits / 10 ** decimals);
      expect(out.at).toBeLessThanOrEqual(longestDecimal(digits));
    }
  },
);

test('strings and fragments of any length are concatenated', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(texts, (list) => {
      const pieces = piecesOf(list);
      const out = jsonBytes(pieces.size + 3);
      writeText(out, 'é>');
      for (const nth of list.keys()) writePiece(out, pieces, nth);
      expect(written(out).toString()).toBe(`é>${list.join('')}`);
    }),
  );
});

test('a series is each fragment followed by its decimal', () => {
  const out = jsonBytes(100);
  writeSeries(out, piecesOf(['a:', ',b:', ',c:']), Float64Array.of(0, 1_500_000, 70), 6);
  expect(written(out).toString()).toBe('a:0,b:1.5,c:0.00007');
});
