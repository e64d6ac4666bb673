/** Bodies that are right but for one place, and bodies that are nothing right at all. */
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { oddJson, oddString, oddText } from './odd-values.ts';

type Body = string | Uint8Array;
/** A path in a JSON value. */
type Place = readonly (string | number)[];

const DEEP = 20_000;
const BEYOND_LIMIT = 5 * 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const oddName = fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', '', 'unknown', '0', 'enabled');

/** With another value in one place, with none there, or with a member more. */
export function invalidJson(text: string): fc.Arbitrary<string> {
  const value: unknown = JSON.parse(text);
  const place = fc.constantFrom(...placesIn(value));
  const more = fc.tuple(place, oddName).map(([above, name]): Place => [...above, name]);
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: place }, more), oddJson)
    .map(([at, odd]) => JSON.stringify(put(value, at, odd)) ?? '');
}

/** With another value of a field, with one more, or with one twice. */
export function invalidForm(text: string): fc.Arbitrary<string> {
  const fields = [...new URLSearchParams(text)];
  const name = fc.constantFrom(...fields.map(([each]) => each), 'scope', 'code_challenge', 'code', '', '__proto__');
  return fc.tuple(name, oddText, fc.boolean()).map(([at, value, twice]) => {
    const others = twice ? fields : fields.filter(([each]) => each !== at);
    return new URLSearchParams([...others, [at, value]]).toString();
  });
}

/** Cut off, or with a few bytes of it otherwise. */
export function corruptedBytes(body: string): fc.Arbitrary<Uint8Array> {
  const bytes = Buffer.from(body);
  const at = fc.nat({ max: bytes.length });
  return fc.oneof(
    at.map((end) => bytes.subarray(0, end)),
    fc
      .tuple(at, fc.uint8Array({ minLength: 1, maxLength: 3 }))
      .map(([start, odd]) => Buffer.concat([bytes.subarray(0, start), odd, bytes.subarray(start + odd.length)])),
  );
}

/** With a wrong content type and encoding. */
export function mislabelledBody(body: string): fc.Arbitrary<{ body: Body; headers: Record<string, string> }> {
  const zipped = gzipSync(body);
  return fc.constantFrom<{ body: Body; headers: Record<string, string> }>(
    { body: zipped, headers: { 'content-encoding': 'gzip' } },
    { body: zipped.subarray(0, zipped.length / 2), headers: { 'content-encoding': 'gzip' } },
    { body, headers: { 'content-encoding': 'gzip' } },
    { body: zipped, headers: {} },
    { body: Buffer.from(body, 'utf16le'), headers: {} },
    { body: `\ufeff${body}`, headers: {} },
    { body, headers: { 'content-type': 'text/plain' } },
    { body: 'a=1&b=2', headers: { 'content-type': FORM_TYPE } },
    { body: '{"a":1}', headers: { 'content-type': JSON_TYPE } },
    { body: '--x\r\n\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  );
}

export const oddBody: fc.Arbitrary<Body> = fc.oneof(
  fc.constantFrom<Body>(
    '',
    ' ',
    'null',
    '[]',
    '{}',
    '"text"',
    '1e999',
    '"\\ud800"',
    '{"a":1,"a":2}',
    '{"a":1}x',
    "{'a':1}",
    Uint8Array.of(0x22, 0xff, 0x22),
    '['.repeat(DEEP),
    '['.repeat(DEEP) + ']'.repeat(DEEP),
    '{"metadata":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
    `{"metadata":{"name":"${'a'.repeat(300_000)}"},"spec":{}}`,
    ' '.repeat(BEYOND_LIMIT + 1),
  ),
  oddJson.map((value) => JSON.stringify(value) ?? ''),
  oddString,
  fc.uint8Array(),
);

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...members.flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))];
}

/** A copy with that value in that place. */
function put(value: unknown, [name, ...deeper]: Place, odd: unknown): unknown {
  if (name === undefined) return odd;
  if (Array.isArray(value) && typeof name === 'number') return value.with(name, put(value[name], deeper, odd));
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...members, [name]: put(Object.hasOwn(members, name) ? members[name] : undefined, deeper, odd) };
}
