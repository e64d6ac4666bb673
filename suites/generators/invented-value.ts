/** Values that no deployment has: names, ids and cursors made up by the run. */
import * as fc from 'fast-check';

/** Fits metadata.name. */
export const inventedName: fc.Arbitrary<string> = fc.stringMatching(/^assay-nothing-[a-z0-9]{8,16}$/);

/** Has the form of a resource type, but is none. */
export const inventedType: fc.Arbitrary<string> = fc.stringMatching(/^assay_nothing_[a-z]{6,12}$/);

export const inventedUuid: fc.Arbitrary<string> = fc.uuid({ version: 4 });

const encoded = (encoding: 'base64' | 'base64url' | 'hex', texts: readonly string[]): string[] =>
  texts.map((text) => Buffer.from(text).toString(encoding));
const positions = ['{"offset":999999999}', '{"page":999999999}'];
const groups = ['[]', '["assay","made","this","up"]'];

/** By the mistake of a server that accepts them. Numbers are beyond any position among groups. */
export const inventedCursors: Readonly<Record<string, readonly string[]>> = {
  word: ['assay-made-this-up', 'next'],
  'positive number': ['999999999'],
  'negative number': ['-1'],
  fraction: ['1.5'],
  'JSON value': 'null undefined true ""'.split(' '),
  'JSON position': positions,
  'JSON group': ['{}', '[]', '[["assay"]]'],
  'position in base64': [...encoded('base64', positions), ...encoded('base64url', positions)],
  'group in base64': [...encoded('base64', groups), ...encoded('base64url', groups)],
  'word in base64': [...encoded('base64', ['assay-made-this-up']), ...encoded('base64url', ['assay-made-this-up'])],
  hexadecimal: encoded('hex', [...positions, ...groups, 'assay-made-this-up']),
  UUID: ['00000000-0000-4000-8000-000000000000'],
  JWT: ['eyJhbGciOiJub25lIn0.eyJvZmZzZXQiOjk5OTk5OTk5OX0.'],
  'other syntax': ['*', '../..', '%', '%00', "' or 1=1 --"],
  'other script': ['ключ', '\u{1F511}'],
  'long text': ['A'.repeat(2000)],
};

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
