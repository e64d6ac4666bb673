/** Bodies, media types, header values, queries and path values that are invalid for every operation. */
import * as fc from 'fast-check';
import { unicodeString } from './unicode-string.ts';

export interface GarbageBody {
  readonly body: string | Uint8Array;
  readonly type?: string;
}

const DEEP = 20_000;
const JSON_TYPE = 'application/json';

const notJson = ['', ' ', '{', '{"a":', 'undefined', '-', '"open', '\u0000'];
const notObjects = ['null', '-0', '1e999', '9'.repeat(400), '"\\ud800"', '[]', '[[]]', '[{}]', '[null]'];
/** None has the required members of a create. */
const oddObjects = [
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"":""}',
  '{"length":-1,"toString":1}',
];
const deep = ['['.repeat(DEEP), '['.repeat(DEEP) + ']'.repeat(DEEP), '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP)];

/** Never a valid body of an operation that changes something. */
export const garbageBodies: readonly GarbageBody[] = [
  ...[...notJson, ...notObjects, ...oddObjects, ...deep].map((body) => ({ body, type: JSON_TYPE })),
  { body: Uint8Array.of(0x22, 0xff, 0xfe, 0x22), type: JSON_TYPE },
  { body: Uint8Array.of(0x1f, 0x8b, 0x08, 0x00), type: JSON_TYPE },
];

/** Bodies that parsers read differently: trailing text, single quotes, a byte order mark, members of one name. */
export const ambiguousBodies: readonly GarbageBody[] = [
  ...['{"a":1}x', '[1,]', "{'a':1}", 'NaN', '\ufeff[]', '{"a":1,"a":2}', '"text"', '0', 'true', '// a\n[]'].map(
    (body) => ({
      body,
      type: JSON_TYPE,
    }),
  ),
  { body: 'a=1', type: 'application/x-www-form-urlencoded' },
];

/** A small selection for every operation. */
export const commonBodies: readonly GarbageBody[] = [
  ...['{', '', 'null', '[]', '['.repeat(DEEP) + ']'.repeat(DEEP)].map((body) => ({ body, type: JSON_TYPE })),
  { body: Uint8Array.of(0x22, 0xff, 0xfe, 0x22), type: JSON_TYPE },
  { body: '[]', type: 'text/plain' },
];

export const hugeBody: GarbageBody = { body: `"${'a'.repeat(6_000_000)}"`, type: JSON_TYPE };

/** Each with a JSON body that is not an object. */
export const oddMediaTypes: readonly GarbageBody[] = [
  'text/plain',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json; charset=assay',
  'application/json;;;',
  'application/*',
  'json',
  '/',
  ';',
].map((type) => ({ body: '[]', type }));

/** Header values by name. `{brand}` is replaced by the brand of the target. */
export const oddHeaders: readonly (readonly [string, string])[] = [
  ['Authorization', 'Bearer'],
  ['Authorization', 'Basic %%%'],
  ['Authorization', 'Bearer a.b.c'],
  ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhc3NheSJ9.'],
  ['Authorization', 'Bearer e30.e30.e30'],
  ['Authorization', `Bearer ${'a'.repeat(4000)}`],
  ['Authorization', 'Bearer \u00e9\u00ff'],
  ['X-{brand}-Authorization', 'Bearer __proto__'],
  ['X-{brand}-Authorization', 'assay'],
  ['X-{brand}-Workspace', '__proto__'],
  ['X-{brand}-Workspace', '../..'],
  ['X-{brand}-Workspace', '%00'],
  ['X-{brand}-Workspace', '\u00e9'],
  ['X-{brand}-Workspace', 'a'.repeat(2000)],
  ['X-{brand}-Thread-Id', '%00'],
  ['{brand}-Version', '__proto__'],
  ['{brand}-Version', '\u00e9'],
  ['{brand}-Version', 'a'.repeat(2000)],
  ['Accept', 'application/xml'],
  ['Accept', '*/*;q=assay'],
  ['Accept', ',;/,'],
  ['Accept-Encoding', 'assay;q=2'],
  ['Accept-Language', '*-*,;q='],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'assay'],
  ['Range', 'bytes=9-1'],
  ['If-None-Match', '"'],
  ['If-Modified-Since', 'assay'],
  ['Cookie', '=;=;%'],
  ['Origin', 'null'],
  ['Forwarded', 'for=";'],
  ['X-Forwarded-For', ','],
  ['Traceparent', 'assay'],
];

/** Raw queries without the leading `?`. */
export const oddQueries: readonly string[] = [
  '',
  '&',
  '=',
  '?',
  'a',
  'a=%',
  'a=%zz',
  '%=%',
  '%ff=%ff',
  '%00=%00',
  'a[]=1&a[b][c]=2',
  '__proto__=1&constructor=2',
  '__proto__[a]=1',
  'a=1&'.repeat(300),
  `a=${'b'.repeat(3000)}`,
  '+=+',
  '%F0%9F%92%A9=%F0%9F%92%A9',
  '%ed%a0%80=1',
];

/** Values that are invalid for any query parameter. Percent-encoded when they are sent. */
export const oddValues: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\uffff',
  '-1',
  '0',
  '1.5',
  '1e999',
  'NaN',
  '9'.repeat(40),
  '__proto__',
  'constructor',
  'null',
  '[]',
  '{}',
  'e30=',
  'bnVsbA==',
  '%00',
  ',',
  ',,,,',
  '../..',
  "'",
  '"',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '💩',
  'a'.repeat(2000),
];

/** Path segments, sent unchanged. */
export const oddSegments: readonly string[] = [
  '%',
  '%zz',
  '%00',
  '%ff',
  '%C0%AF',
  '%ed%a0%80',
  '%0d%0a',
  '%20',
  '%25%32%46',
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'undefined',
  '-1',
  '~',
  'a'.repeat(2000),
];

/** A small selection for every path. */
export const commonSegments: readonly string[] = ['%00', '__proto__'];

/** Paths below a surface's address, sent unchanged. */
export const oddPaths: readonly string[] = [
  '/',
  '//',
  '/%',
  '/%zz',
  '/%00',
  '/%ff',
  '/.',
  '/..',
  '/../..',
  '/%2e%2e/%2e%2e',
  '/..%2f..%2f',
  '/;',
  '/*',
  '/__proto__',
  '/constructor/prototype',
  '/undefined/undefined/undefined',
  '/a//b///c',
  `/${'a/'.repeat(800)}`,
  `/${'a'.repeat(3000)}`,
  `/${'%2F'.repeat(500)}`,
];

/** Arbitrary text or bytes, practically never a JSON object. */
export const garbageBody: fc.Arbitrary<GarbageBody> = fc.record({
  body: fc.oneof(
    unicodeString(),
    fc.uint8Array(),
    fc.json().filter((text) => !text.startsWith('{')),
  ),
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constant(JSON_TYPE) },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded') },
  ),
});

/** Characters allowed in a query (RFC 3986 section 3.4). All others are percent-encoded. */
const queryCharacters = [..."ABCXYZabcxyz0129-._~!$&'()*+,;=:@/?"];
const wellFormedQuery = fc.string({
  unit: fc.oneof(fc.constantFrom(...queryCharacters), unicodeString({ minLength: 1, maxLength: 1 }).map(encoded)),
});

/** A query, sent unchanged, well-formed or not. */
export const garbageQuery: fc.Arbitrary<string> = fc.oneof(
  wellFormedQuery,
  fc
    .array(fc.tuple(unicodeString(), unicodeString()))
    .map((pairs) => pairs.map((pair) => pair.map(encoded).join('=')).join('&')),
  fc.string({ unit: fc.constantFrom(...'%&=?+[]ab0') }),
);

/** A path segment, sent unchanged; never `.` or `..`. */
export const garbageSegment: fc.Arbitrary<string> = unicodeString({ minLength: 1 })
  .map(encoded)
  .filter((text) => !['.', '..'].includes(text));

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
