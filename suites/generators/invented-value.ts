/** Values that no deployment has: names, ids and cursors made up by the run. */
import * as fc from 'fast-check';

/** Fits metadata.name. */
export const inventedName: fc.Arbitrary<string> = fc.stringMatching(/^assay-nothing-[a-z0-9]{8,16}$/);

/** Has the form of a resource type, but is none. */
export const inventedType: fc.Arbitrary<string> = fc.stringMatching(/^assay_nothing_[a-z]{6,12}$/);

export const inventedUuid: fc.Arbitrary<string> = fc.uuid({ version: 4 });

/** Words, encodings, and numbers beyond any position among groups. None is a cursor that a server has issued. */
export const inventedCursors: readonly string[] = [
  ...'assay-made-this-up next -1 999999999 1.5 null undefined true {} [] "" * ../.. % %00'.split(' '),
  '{"offset":999999999}',
  '{"page":999999999}',
  '[["assay"]]',
  "' or 1=1 --",
  'ключ',
  '\u{1F511}',
  ...['assay-made-this-up', '{"offset":999999999}', '[]', '["assay","made","this","up"]'].flatMap((text) => [
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
    Buffer.from(text).toString('hex'),
  ]),
  '00000000-0000-4000-8000-000000000000',
  'eyJhbGciOiJub25lIn0.eyJvZmZzZXQiOjk5OTk5OTk5OX0.',
  'A'.repeat(2000),
];

/** Too long to be a valid cursor by chance. Not only digits, because those may be a position among groups. */
export const inventedCursor: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 60 }),
    fc.base64String({ minLength: 12, maxLength: 80 }),
    fc.stringMatching(/^[A-Za-z0-9_-]{10,80}$/),
    fc.uint8Array({ minLength: 9, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  )
  .filter((text) => !/^\s*\d+\s*$/.test(text) && text.trim() !== '');

/** Added before or after a cursor that the server returned. */
export const foreignString: fc.Arbitrary<string> = fc.stringMatching(/^[.~_-]?foreign[a-z]{0,12}$/);
