/** Checks data against the schema of its format. The first mistake becomes one sentence; values that may be secret are not quoted. */
import { z } from 'zod';
import { isLarge } from '../is-large.ts';
import { didYouMean } from '../nearest.ts';
import { InvalidInput } from './invalid-input.ts';
import { isPlainKey, mayHoldSecret as inTargetFile, redactUrl } from './secrets.ts';
import { isObject } from '../json-object.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const MAX_QUOTED_LENGTH = 80;
/** A longer list of allowed keys is omitted if similar ones are suggested; of an object, only so many keys are named. */
const MAX_LISTED_KEYS = 20;

/** Whether a secret can be at a path such as `clients[0].secret`, also a misplaced one. */
export type SecretPaths = (path: string) => boolean;

/**
 * Returns the parsed value. Throws InvalidInput, such as: `metrics.window.start: "yesterday" is not an RFC 3339 timestamp.`
 * `mayHoldSecret` is by default that of a target file.
 */
export function readFormat<T>(schema: z.ZodType<T>, input: unknown, mayHoldSecret: SecretPaths = inTargetFile): T {
  const { success, data, error } = schema.safeParse(input, parseContext(input));
  if (success) return data;
  // A misspelt key first: the key that is missing because of it is only a consequence.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  throw new InvalidInput(issue === undefined ? 'The file is invalid.' : sentenceOf(issue, input, mayHoldSecret));
}

/**
 * Each mistake takes memory, and every value may be one, so of large data only the first mistake is looked for. `abortEarly`
 * is the option that zod sets for `validate`.
 * @internal
 */
export const parseContext = (input: unknown) => ({ error: expectationOf, abortEarly: isLarge(input) });

/** Completes "… is not …"; for an unknown key: the allowed ones, separated by commas. */
function expectationOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return keysOf(issue).join(', ');
    case 'invalid_type':
      return describeType(issue);
    case 'invalid_value':
      return issue.values.length === 1 ? JSON.stringify(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'array')
        return issue.minimum === 1 ? 'a non-empty array' : `an array of ${lowerBound(issue)} elements`;
      return issue.origin === 'string' ? 'a non-empty string' : lowerBound(issue);
    case 'too_big':
      return issue.origin === 'string' ? `at most ${issue.maximum} characters long` : upperBound(issue);
    default:
      return 'in the expected format';
  }
}

const lowerBound = ({ minimum, inclusive }: RawIssue & { code: 'too_small' }): string =>
  inclusive === false ? `more than ${minimum}` : `at least ${minimum}`;

const upperBound = ({ maximum, inclusive }: RawIssue & { code: 'too_big' }): string =>
  inclusive === false ? `less than ${maximum}` : `at most ${maximum}`;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function describeType(issue: RawIssue & { code: 'invalid_type' }): string {
  const name = typeNames[issue.expected] ?? `of type ${issue.expected}`;
  const keys = keysOf(issue);
  return keys.length === 0 ? name : `${name} with the keys ${keys.join(', ')}`;
}

/** The keys that the schema of an issue allows: those of an object, or the values of a record's key type. */
function keysOf({ inst }: RawIssue): string[] {
  if (inst instanceof z.ZodObject) return Object.keys(inst.shape);
  return inst instanceof z.ZodRecord && inst.keyType instanceof z.ZodEnum ? inst.keyType.options.map(String) : [];
}

function sentenceOf(outer: Issue, input: unknown, mayHoldSecret: SecretPaths): string {
  const issue = innermost(outer);
  const at = formatPath(issue.path);
  const value = valueAt(input, issue.path);
  const isSecret = mayHoldSecret(at);
  if (issue.code === 'unrecognized_keys') return unknownKey(at, issue, value, isSecret);
  if (value === undefined && issue.path.length > 0) return missingKey(issue);
  const found = describeValue(issue, value, isSecret);
  if (at === '') return `Expected ${issue.message}, found ${found}.`;
  return issue.message.startsWith('a non-empty ')
    ? `${at}: expected ${issue.message}, found ${found}.`
    : `${at}: ${found} is not ${issue.message}.`;
}

/** Of a union whose other branches do not fit at all, the issue of the one that nearly does. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const near = issue.errors.filter((found) => found.length > 0 && found.every(({ path }) => path.length > 0));
  const inner = near.length === 1 ? near[0]?.[0] : undefined;
  return inner === undefined ? issue : innermost({ ...inner, path: [...issue.path, ...inner.path] });
}

function unknownKey(
  at: string,
  { keys, message }: Issue & { code: 'unrecognized_keys' },
  value: unknown,
  isSecret: boolean,
): string {
  const [key = ''] = keys;
  const place = at === '' ? '' : ` in ${at}`;
  const allowed = message.split(', ');
  const suggestion = isPrintableKey(key, value, isSecret) ? didYouMean(key, allowed) : '';
  const list = suggestion !== '' && allowed.length > MAX_LISTED_KEYS ? '' : ` Allowed: ${message}.`;
  return `Unknown key ${quoteKey(key, value, isSecret)}${place}.${suggestion}${list}`;
}

function missingKey({ path, message }: Issue): string {
  const parent = formatPath(path.slice(0, -1));
  return `Missing key "${String(path.at(-1))}"${parent === '' ? '' : ` in ${parent}`}: expected ${message}.`;
}

function describeValue({ code }: Issue, value: unknown, isSecret: boolean): string {
  if (code === 'invalid_union' && isObject(value)) {
    const keys = Object.keys(value);
    if (keys.length === 0) return 'an empty object';
    const listed = keys.slice(0, MAX_LISTED_KEYS).map((key) => quoteKey(key, value, isSecret));
    const more = keys.length > MAX_LISTED_KEYS ? ` and ${keys.length - MAX_LISTED_KEYS} more` : '';
    return `an object with ${listed.join(', ')}${more}`;
  }
  return isSecret ? kindOf(value) : quote(value);
}

/** A string, number or boolean as it was written, without credentials in a URL; of anything else its kind. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    const json = JSON.stringify(redactUrl(value));
    return json.length <= MAX_QUOTED_LENGTH ? json : `${json.slice(0, MAX_QUOTED_LENGTH)}…"`;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'a boolean';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeNames[typeof value] ?? 'this value';
}

/** Below a key of credentials, a misplaced secret can itself be a key. */
const isPrintableKey = (key: string, parent: unknown, isSecret: boolean): boolean =>
  !isSecret || isPlainKey(key, isObject(parent) ? parent[key] : null);

const quoteKey = (key: string, parent: unknown, isSecret: boolean): string =>
  isPrintableKey(key, parent, isSecret) ? quote(key) : '(not printed because it may be a secret)';

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** `callers[0].kind`; empty for the whole input. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
