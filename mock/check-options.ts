/** Checks the options of startMock, for callers without a type checker. */
import { isWorldName } from '../fixtures/worlds/named-worlds.ts';
import { worldNames } from '../spec/formats/world-names.ts';
import { didYouMean } from '../spec/nearest.ts';
import { isReplay, REPLAY_FORM } from './check-replay.ts';
import type { MockOptions } from './mock-options.ts';
import { instantOf, TIME_FORM } from './time/instant.ts';
import { MAX_LATENCY_MS } from './wrap/latency.ts';
import { isObject } from '../spec/json-object.ts';

/** What an option must be, and whether a value is. */
type Check = readonly [allowed: string, matches: (value: unknown) => boolean];

const isIntegerFrom = (min: number, max: number) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const isOneOf = (...words: readonly string[]): Check => [
  `one of ${words.join(', ')}`,
  (value) => typeof value === 'string' && words.includes(value),
];
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isAddress = (value: unknown): boolean => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
  );
};

const isWorld = (value: unknown): boolean => isObject(value) || isWorldName(value);
const isPem = (value: unknown): boolean => isText(value) || value instanceof Uint8Array;
const isLatency = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { min, max, ...others } = value as { min?: unknown; max?: unknown };
  const isTime = isIntegerFrom(0, MAX_LATENCY_MS);
  return isTime(min) && isTime(max) && Number(min) <= Number(max) && Object.keys(others).length === 0;
};
const isTls = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { cert, key, ...others } = value as { cert?: unknown; key?: unknown };
  return isPem(cert) && isPem(key) && Object.keys(others).length === 0;
};

const text: Check = ['a string that is not empty', isText];
const texts: Check = ['a list of strings', isListOfTexts];

const checks: Readonly<Record<keyof MockOptions, Check>> = {
  port: ['a whole number from 0 to 65535', isIntegerFrom(0, 65_535)],
  host: text,
  // An empty one is refused with the reason where the token is required.
  controlToken: ['a string', (value) => typeof value === 'string'],
  controlOrigins: texts,
  seed: ['a whole number from 0', isIntegerFrom(0, Number.MAX_SAFE_INTEGER)],
  now: [TIME_FORM, (value) => instantOf(value) !== undefined],
  clock: isOneOf('running', 'frozen'),
  brand: text,
  world: [`the content of a world file, not its path, or ${worldNames.join(', ')}`, isWorld],
  state: text,
  upstream: ['an address that begins with http:// or https://', isAddress],
  prefer: isOneOf('upstream'),
  publicUrl: ['an address that begins with http:// or https://', isAddress],
  onlyDocumented: ['true or false', (value) => typeof value === 'boolean'],
  sandboxUrls: isOneOf('host', 'path'),
  latency: [`{ min, max }, whole milliseconds from 0 to ${MAX_LATENCY_MS}, min not above max`, isLatency],
  tls: ['{ cert, key }, each a string or Buffer of PEM', isTls],
  onRequest: ['a function', (value) => typeof value === 'function'],
  profile: ['a path, or the content of an observations.json', (value) => isText(value) || typeof value === 'object'],
  replay: [REPLAY_FORM, isReplay],
  deviate: ['the id of a deviation, or a list of ids', (value) => isText(value) || isListOfTexts(value)],
};

/** Their values are secret. */
const HIDDEN: readonly string[] = ['controlToken', 'tls'];

const names = Object.keys(checks);

/** Throws a TypeError that names the option, the value and what is allowed. Options that are undefined count as omitted. */
export function checkOptions(options: MockOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!isName(name)) throw new TypeError(`startMock: Unknown option "${name}".${suggestion(name)}`);
    const [allowed, matches] = checks[name];
    if (value !== undefined && !matches(value))
      throw new TypeError(`startMock: Invalid value ${quoted(name, value)} for ${name}: expected ${allowed}.`);
  }
}

const isName = (name: string): name is keyof MockOptions => Object.hasOwn(checks, name);

const suggestion = (name: string): string => didYouMean(name, names) || ` Allowed: ${names.join(', ')}.`;

const quoted = (name: string, value: unknown): string =>
  HIDDEN.includes(name) ? '(hidden)' : String(JSON.stringify(value)).slice(0, 100);
