/** Reads untrusted data into a known form; refuses the first key or value that does not fit, in a sentence that names it. */
import { parseInstant } from '../../spec/rfc3339.ts';
import { isFields } from '../expect/fields.ts';

/** A target file, option or option file that cannot be used; the message is a sentence for the person who wrote it. */
export class BadInput extends Error {}

/** Takes the value found at a place, gives it back typed, or throws BadInput. */
export type Reader<T> = (value: unknown, at: string) => T;

export const quoted = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

function refuse(at: string, value: unknown, wanted: string): never {
  throw new BadInput(`${at === '' ? '' : `${at}: `}${quoted(value)} is not allowed here. Wanted: ${wanted}.`);
}

export const text: Reader<string> = (value, at) =>
  typeof value === 'string' && value !== '' ? value : refuse(at, value, 'a text that is not empty');

/** A text of a given form; `wanted` says which. */
export const textLike =
  (pattern: RegExp, wanted: string): Reader<string> =>
  (value, at) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(at, value, wanted);

/** An absolute http or https address, given back without a final slash. */
export const address: Reader<string> = (value, at) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(at, value, 'an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '')
    return refuse(at, value, 'an address without a user name or password in it');
  if (url.search !== '' || url.hash !== '') return refuse(at, value, 'an address without ? and #');
  return String(value).replace(/\/+$/, '');
};

export const instant: Reader<string> = (value, at) => {
  const written = value instanceof Date ? value.toISOString() : value;
  return typeof written === 'string' && parseInstant(written) !== undefined
    ? written
    : refuse(at, value, 'an instant such as 2026-10-01T00:00:00Z');
};

export const oneOf =
  <const T extends string>(allowed: readonly T[]): Reader<T> =>
  (value, at) =>
    allowed.includes(value as T) ? (value as T) : refuse(at, value, `one of ${allowed.join(', ')}`);

export const atLeast =
  (least: number, whole: boolean): Reader<number> =>
  (value, at) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))
      ? value
      : refuse(at, value, `a ${whole ? 'whole ' : ''}number, ${least} or more`);

export const listOf =
  <T>(item: Reader<T>): Reader<T[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((each, index) => item(each, `${at}[${index}]`)) : refuse(at, value, 'a list');

function entriesOf(value: unknown, at: string, wanted: string): [string, unknown][] {
  const isMap = isFields(value);
  return isMap ? Object.entries(value) : refuse(at, value, wanted);
}

/** A map of any keys that fit the pattern. */
export const mapOf =
  <T>(key: RegExp, keyWanted: string, item: Reader<T>): Reader<Record<string, T>> =>
  (value, at) =>
    Object.fromEntries(
      entriesOf(value, at, `a map of ${keyWanted}`).map(([name, each]) => {
        if (!key.test(name)) throw new BadInput(`${at}: ${quoted(name)} is not ${keyWanted}.`);
        return [name, item(each, `${at}.${name}`)];
      }),
    );

type Fields<T> = { [K in keyof T]-?: Reader<NonNullable<T[K]>> };
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** A map with these keys only; `required` of them must be there. */
export const record =
  <T extends object>(fields: Fields<T>, required: readonly RequiredKeys<T>[]): Reader<T> =>
  (value, at) => {
    const allowed = Object.keys(fields);
    const found: Record<string, unknown> = {};
    for (const [name, each] of entriesOf(value, at, `a map with ${allowed.join(', ')}`)) {
      const reader = Object.hasOwn(fields, name) ? fields[name as keyof T] : undefined;
      if (reader === undefined) throw unknownKey(name, at, allowed);
      found[name] = reader(each, at === '' ? name : `${at}.${name}`);
    }
    for (const name of required as readonly string[])
      if (!(name in found)) throw new BadInput(`${at === '' ? 'The file' : at} lacks the key ${quoted(name)}.`);
    return found as T;
  };

function unknownKey(name: string, at: string, allowed: readonly string[]): BadInput {
  const where = at === '' ? '' : ` in ${at}`;
  return new BadInput(`Unknown key ${quoted(name)}${where}. Allowed: ${allowed.join(', ')}.`);
}
