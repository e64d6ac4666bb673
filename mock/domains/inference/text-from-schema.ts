/** Generates a string for the keywords of a JSON Schema: its format, pattern and length. */
import { createRequire } from 'node:module';
import { linearPattern, type LinearPattern } from '../../http/linear-pattern.ts';
import type { Random } from '../../time/random.ts';
import { Unsatisfiable, type Constraints } from './json-schema.ts';

const MAX_LENGTH = 10_000;
const MAX_SAMPLES = 30;
const require = createRequire(import.meta.url);

/** `name`: of the property, which the text repeats if it may be any. Throws Unsatisfiable. */
export function textFor(constraints: Constraints, name: string, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = MAX_LENGTH } = constraints;
  const length = { min: Number(minLength), max: Math.min(Number(maxLength), MAX_LENGTH) };
  if (length.min > length.max) throw new Unsatisfiable(`no string has ${length.min} to ${length.max} characters`);
  const ofFormat = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format]?.(random) : undefined;
  if (typeof pattern === 'string') return ofPattern(pattern, ofFormat, length, random);
  return ofFormat ?? ofLength(`${name.replaceAll(/[^\x20-\x7e]/g, '')} ${random.hex(4)}`, length);
}

interface Length {
  readonly min: number;
  readonly max: number;
}

function ofLength(text: string, { min, max }: Length): string {
  // The digits at the end tell texts apart.
  const short = text.length <= max ? text : text.slice(text.length - max).trimStart();
  return short.padEnd(min, 'x');
}

const DAY_MS = 86_400_000;
/** In the 2020s. */
const instant = (random: Random): Date =>
  new Date(Date.UTC(2020, 0, 1) + (random.next() % 3650) * DAY_MS + (random.next() % DAY_MS));
const byte = (random: Random): number => random.next() % 256;

/** Formats of the JSON Schema vocabulary, and `url` and `byte`, which tools add. */
const formats: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': (random) => instant(random).toISOString().replace(/\.\d+/, ''),
  date: (random) => instant(random).toISOString().slice(0, 10),
  time: (random) => `${instant(random).toISOString().slice(11, 19)}Z`,
  duration: (random) => `PT${1 + (random.next() % 59)}M`,
  email: (random) => `user-${random.hex(4)}@example.com`,
  'idn-email': (random) => `user-${random.hex(4)}@example.com`,
  hostname: (random) => `host-${random.hex(4)}.example.com`,
  'idn-hostname': (random) => `host-${random.hex(4)}.example.com`,
  ipv4: (random) => `192.0.2.${byte(random)}`,
  ipv6: (random) => `2001:db8::${random.hex(4)}`,
  uuid: (random) => random.uuid(),
  uri: (random) => `https://example.com/${random.hex(4)}`,
  url: (random) => `https://example.com/${random.hex(4)}`,
  iri: (random) => `https://example.com/${random.hex(4)}`,
  'uri-reference': (random) => `/${random.hex(4)}`,
  'iri-reference': (random) => `/${random.hex(4)}`,
  'uri-template': (random) => `/${random.hex(4)}/{id}`,
  'json-pointer': (random) => `/${random.hex(4)}`,
  'relative-json-pointer': () => '0',
  regex: () => '^[a-z]+$',
  byte: (random) => Buffer.from(random.hex(4)).toString('base64'),
};

/** Prefers the text of the format. It cannot be checked with a pattern that looks around, such as that of zod's email. */
function ofPattern(source: string, ofFormat: string | undefined, length: Length, random: Random): string {
  if (ofFormat !== undefined && (compiled(source)?.test(ofFormat) ?? true)) return ofFormat;
  const pattern = patternOf(source);
  const fits = (text: string) => text.length >= length.min && text.length <= length.max && pattern.test(text);
  const sample = sampler(source);
  for (let nth = 0; nth < MAX_SAMPLES; nth++) {
    const text = sample(random.next());
    if (fits(text)) return text;
  }
  throw new Unsatisfiable(`no string was found for the pattern ${JSON.stringify(source)}`);
}

/** Throws Unsatisfiable. */
export function patternOf(source: string): LinearPattern {
  const pattern = compiled(source);
  if (pattern !== undefined) return pattern;
  throw new Unsatisfiable(
    `the pattern ${JSON.stringify(source)} is no regular expression without lookaround and references`,
  );
}

function compiled(source: string): LinearPattern | undefined {
  try {
    return linearPattern(source);
  } catch {
    return undefined;
  }
}

/** Returns a function from a seed to a string that matches. Throws Unsatisfiable for a pattern that fast-check does not support. */
function sampler(source: string): (seed: number) => string {
  // Loaded on demand: few schemas have a pattern.
  const { sample, stringMatching } = require('fast-check') as typeof import('fast-check');
  // Without anchors, anything may precede or follow.
  const anchored = /[\^$]/.test(source) ? source : `^(?:${source})$`;
  try {
    const texts = stringMatching(new RegExp(anchored, 'u'));
    return (seed) => sample(texts, { seed: seed | 0, numRuns: 1 })[0] ?? '';
  } catch {
    throw new Unsatisfiable(`the pattern ${JSON.stringify(source)} is not supported`);
  }
}
