/** Contents of text files: any well-formed text of at most 1 KiB, since a limit is not documented. */
import * as fc from 'fast-check';

/** One byte per character. */
export const asciiContent: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'x', 'a\r\nb\n', '\n', '  ', '{"files": {}}', 'x'.repeat(1024)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
);

/** Strings with different numbers of characters, UTF-16 units and bytes. */
export const awkwardContents: readonly string[] = [
  '',
  'é',
  'e\u0301',
  '日本語\n',
  '😀',
  '👩\u200d👩\u200d👧',
  '\ufeffbegins with a mark',
  '\u{10fffd}',
  'ends with a line break\r\n',
  'aGVsbG8=',
  '\t "quoted" \\n and <b>&amp;</b> ',
  'ü'.repeat(500),
];

/** A target may refuse these because of their characters or length, but must store accepted ones unchanged. */
export const unusualContents: readonly string[] = ['a\0b', '\u001b[31mred', 'a\rb', 'x'.repeat(300_000)];

export const textContent: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkwardContents),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  asciiContent,
);
