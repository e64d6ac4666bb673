/** Reads untrusted data into a known form; refuses the first key or value that does not fit, in a sentence that names it. */
import { parseInstant } from '../../spec/rfc3339.ts';
import { nearest } from '../../spec/nearest.ts';
import { isFields } from '../expect/fields.ts';
import { isPlainKey, isSecretPlace, shown, withoutSecrets } from './secret-form.ts';

/** A target file, option or option file that cannot be used; the message is a sentence for the person who wrote it. */
export class BadInput extends Error {}

/** Takes the value found at a place, gives it back typed, or throws BadInput. */
export type Reader<T> = (value: unknown, at: string) => T;

/** A text or number as it was written, an address without what may be secret in it; of anything else its kind. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shown(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

/** What was found, where the value itself is not to be told. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? 'something else';
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
};

/** The value, or where it may be a secret its kind. */
const told = (at: string, value: unknown): string => (isSecretPlace(at) ? kindOf(value) : quoted(value));

/** The key of a map; where it may be a secret only one that is plainly none. */
export const toldKey = (at: string, key: string, value: unknown): string =>
  !isSecretPlace(at) || isPlainKey(key, value) ? quoted(key) : '(not told here: it may be a secret)';

function refuse(at: string, value: unknown, wanted: string): never {
  throw new BadInput(`${at === '' ? '' : `${at}: `}${told(at, value)} is not allowed here. Wanted: ${wanted}.`);
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
  const clean = typeof value === 'string' ? withoutSecrets(value) : value;
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(at, clean, 'an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '')
    return refuse(at, clean, 'an address without a user name or password in it');
  if (url.search !== '' || url.hash !== '') return refuse(at, clean, 'an address without ? and #');
  return String(value).replace(/\/+$/, '');
};

/** An absolute address of any scheme, without a fragment (RFC 6749 3.1.2); `localhost:80` has none, but a port. */
export const redirectAddress: Reader<string> = (value, at) =>
  typeof value === 'string' &&
  /^[a-z][a-z\d+.-]*:(?!\d)[\x21-\x7e]+$/i.test(value) &&
  !value.includes('#') &&
  URL.canParse(value)
    ? value
    : refuse(at, value, 'an absolute address without #, such as http://127.0.0.1:8765/callback');

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

/** A map whose keys are among the known ones; `what` they are, as in "a scope". */
export const mapOf =
  <T>(known: readonly string[], what: string, item: Reader<T>): Reader<Record<string, T>> =>
  (value, at) =>
    Object.fromEntries(
      entriesOf(value, at, `a map, each key ${what}`).map(([name, each]) => {
        if (!known.includes(name))
          throw new BadInput(`${at}: the key ${toldKey(at, name, each)} is not ${what}.${nearTo(name, known)}`);
        return [name, item(each, `${at}.${name}`)];
      }),
    );

function nearTo(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near.length === 0 ? '' : ` Near: ${near.join(', ')}.`;
}

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
      if (reader === undefined) throw unknownKey(toldKey(at, name, each), at, allowed);
      found[name] = reader(each, at === '' ? name : `${at}.${name}`);
    }
    for (const name of required as readonly string[])
      if (!(name in found)) throw new BadInput(`${at === '' ? 'The file' : at} lacks the key ${quoted(name)}.`);
    return found as T;
  };

function unknownKey(key: string, at: string, allowed: readonly string[]): BadInput {
  const where = at === '' ? '' : ` in ${at}`;
  return new BadInput(`Unknown key ${key}${where}. Allowed: ${allowed.join(', ')}.`);
}
