/** Redacts secrets in everything a run writes: each known one is replaced by its placeholder, such as $SVC_ADMIN_TOKEN. */
import { isSecretField, isSecretVariable, placeOf, secretName } from '../../spec/secret-names.ts';
import type { SecretPlace } from '../../spec/secret-names.ts';
import { decodedForms, mappedForms } from './decoded-forms.ts';
import { MIN_BYTES } from './escapes.ts';
import { withoutPackedSecrets } from './packed-secrets.ts';
import { createBeginnings } from './secret-beginnings.ts';
import { withoutSecretMembers } from './secret-members.ts';
import { beginningsAmong, lazy, literalEncodings, patternOf, withSpaces } from './secret-encodings.ts';
import { findInForms, replaceMatches } from './secret-matches.ts';
import { secretsOf } from './target.ts';
import type { Target } from './target.ts';

/** A secret member of JSON, even in text with unbalanced quotes. */
const secretMember = new RegExp(
  `("${secretName}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\[^])*\\\\?(?:"|$)|-?\\d[\\d.eE+-]*)`,
  'gi',
);
const parameter = /([?&#;])([^?&#;=\s"'<>]+)=([^&#;\s"'<>\\]+)/g;
/** User info of a URL, with escaped or plain slashes. */
const userInfo = /(:(?:\\?\/){2})(?:[^\s/?#"'<>\\]|\\[\\u])*@/g;
/** A text that is completely form-encoded. */
const form = /^[^\s=&?#/{}[\]"'<>]+=[^&\s]*(?:&[^\s=&]*(?:=[^&\s]*)?)*\s*$/;
export const REDACTED = '(redacted)';

/** Characters. Shorter values occur everywhere, so replacing them would garble what a run writes. */
export const MIN_SECRET_LENGTH = 5;

/** A character may be written as nine: `&#x00002B;` or `\\\\\\u002B`. */
const MAX_ENCODED_LENGTH = 9;

/** The value of a cookie that the target sets. It may contain commas, like a list of cookies. */
const cookieValue = /(^|[,\n]\s*)([^=;,\s]+)=(?:[^;,]|,(?!\s*[^=;,\s]+=))*/g;

export interface Redaction {
  /** Replaces this value with `$name` from now on. A known value keeps its first name. */
  learn: (secret: string, name: string) => void;
  /**
   * Learns a value that resembles a known credential, such as a tampered token. Invented ones are not redacted. `minLength`: of the
   * part that they have in common, in characters.
   */
  learnDerived: (credential: string, minLength?: number) => void;
  /** The placeholders of the secrets so far, with their $. */
  readonly placeholders: ReadonlySet<string>;
  /** Redacts known secrets only. For text that assay sent. */
  known: (text: string) => string;
  /** Redacts known secrets and values that are secret by their key. For text that leaves the run. */
  text: (text: string) => string;
  /** Applies `text` to strings and keys at any depth. A number that is secret by its key becomes a string. */
  deep: <T>(value: T) => T;
  /** Applies `text` to strings at any depth, not to keys. For objects whose keys are assay's own. */
  values: <T>(value: T) => T;
  /** Applies `known` to strings and keys at any depth. */
  deepKnown: <T>(value: T) => T;
  /** The length of the longest known spelling. */
  readonly maxSpellingLength: number;
}

/** `isSecret`: whether the string or number is secret by its place. */
type LeafMapper = <T extends string | number>(leaf: T, isSecret: boolean) => T | string;

function mapLeaves(value: unknown, mapLeaf: LeafMapper, place: SecretPlace = 'plain'): unknown {
  if (typeof value === 'string' || typeof value === 'number') return mapLeaf(value, place !== 'plain');
  if (typeof value !== 'object' || value === null) return value;
  const bytes = bytesIn(value);
  const mapped = mapLeaf(bytes, false);
  if (mapped !== bytes) return mapped;
  if (Array.isArray(value)) return value.map((each: unknown) => mapLeaves(each, mapLeaf, place));
  const entries = Object.entries(value).map(([key, each]: [string, unknown]): [string, unknown] => [
    mapLeaf(key, false),
    isCookieHeader(key)
      ? mapLeaves(withoutCookieValues(each), mapLeaf)
      : mapLeaves(each, mapLeaf, place === 'secret' ? place : placeWithin(key, value)),
  ]);
  return Object.fromEntries(entries);
}

/** The numbers of a list or an object, if they can be the bytes of a text, signed or unsigned; otherwise an empty string. */
function bytesIn(value: object): string {
  const numbers = Object.values(value).filter((each) => typeof each === 'number');
  const areBytes =
    numbers.length >= MIN_BYTES && numbers.every((each) => Number.isInteger(each) && each >= -128 && each <= 255);
  return areBytes ? numbers.join() : '';
}

/** Maps strings at any depth, not keys. */
function mapStrings<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, map)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => [key, mapStrings(each, map)]);
  return Object.fromEntries(entries) as T;
}

const isCookieHeader = (key: string): boolean => /^set-cookie$/i.test(key);

/** Cookies are credentials, whatever their names. */
function withoutCookieValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCookieValues);
  return typeof value === 'string' ? value.replace(cookieValue, `$1$2=${REDACTED}`) : value;
}

const placeWithin = (key: string, object: object): SecretPlace =>
  key === 'value' && isMarkedSecret(object) ? 'secret' : placeOf(key);

/** Whether the object marks its `value` as secret. */
const isMarkedSecret = ({ secret = false, name }: { secret?: unknown; name?: unknown }): boolean =>
  secret !== false || (typeof name === 'string' && isSecretVariable(name));

/** A text without a match contains no secret name or marker in any spelling, so most responses need no further checks. */
const mayNameSecrets = /secret|password|passphrase|token|key|assertion|code|value|envs|%|\\u|:(?:\\?\/){2}[^/]*@/i;

/** Redacts values that are secret by their place: in (partial) JSON, a form or the query of a URL. */
function withoutSecrets(text: string): string {
  if (!mayNameSecrets.test(text)) return text;
  const isForm = form.test(text);
  return withoutSecretMembers(text, REDACTED)
    .replace(secretMember, `$1"${REDACTED}"`)
    .replace(userInfo, `$1${REDACTED}@`)
    .replace(parameter, withoutSecretValue)
    .replace(isForm ? /^()([^=]+)=([^&\s]+)/ : /(?!)/, withoutSecretValue);
}

const withoutSecretValue = (pair: string, before: string, name: string): string =>
  isSecretField(decoded(name)) ? `${before}${name}=${REDACTED}` : pair;

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/** Whether the text has the beginning, the end or, as in a JWT, a part of the secret, as after a change in one place. */
const resembles = (text: string, secret: string, minLength: number): boolean =>
  [secret.slice(0, minLength), secret.slice(-minLength), ...secret.split('.')].some(
    (part) => part.length >= minLength && text.includes(part),
  );

/** Of a part that a tampered credential shares with a known one. */
const MIN_PART_LENGTH = 8;

/** Of a part that another value shares with a credential: shorter ones may be words of both. */
export const MIN_QUOTED_LENGTH = 16;

/** Knows the secrets of a target. */
export function redactionOf(target: Target): Redaction {
  const redaction = createRedaction();
  for (const { value, name } of secretsOf(target)) redaction.learn(value, name);
  return redaction;
}

/** One may begin with another. */
const longestFirst = (secrets: readonly string[]): string[] => secrets.toSorted((a, b) => b.length - a.length);

/** The secrets and their placeholders. The first of a secret stays. */
function createPlaceholders() {
  const bySecret = new Map<string, string>();
  /** With spaces for +. */
  const byForm = new Map<string, string>();
  const pattern = lazy(() => patternOf(longestFirst([...bySecret.keys()])));
  const beginnings = lazy(() => beginningsAmong([...bySecret.keys()]));
  return {
    has: (secret: string) => bySecret.has(secret),
    add(secret: string, placeholder: string) {
      if (bySecret.has(secret)) return;
      bySecret.set(secret, placeholder);
      byForm.set(withSpaces(secret), placeholder);
      pattern.renew();
      beginnings.renew();
    },
    /** Of a secret in which + may be a space. */
    of: (found: string) => bySecret.get(found) ?? byForm.get(withSpaces(found)) ?? REDACTED,
    /** Finds the secrets, the longest of those that begin at one place. */
    pattern: pattern.get,
    /** Whether another secret begins with this one. */
    isBeginning: (found: string) => beginnings.get().has(withSpaces(found)),
  };
}

export function createRedaction(): Redaction {
  const names = createPlaceholders();
  const placeholders = new Set<string>();
  /** In lower case, without altered ones: what resembles one of those need not resemble a secret. */
  const secretsOfTarget = new Set<string>();
  const beginnings = createBeginnings();
  let maxSpellingLength = 0;

  function learn(secret: string, name: string): void {
    if (secret.length < MIN_SECRET_LENGTH || names.has(secret)) return;
    for (const each of literalEncodings(secret)) secretsOfTarget.add(each.toLowerCase());
    beginnings.learn(secret, name);
    replace(literalEncodings(secret), name);
  }

  function learnDerived(credential: string, minLength = MIN_PART_LENGTH): void {
    if (names.has(credential)) return;
    const texts = [credential, ...decodedForms(credential)].map((each) => each.toLowerCase());
    if ([...secretsOfTarget].some((secret) => texts.some((text) => resembles(text, secret, minLength))))
      replace([credential], 'SVC_ALTERED_TOKEN');
  }

  function replace(secrets: readonly string[], name: string): void {
    const placeholder = `$${name}`;
    for (const secret of secrets) names.add(secret, placeholder);
    placeholders.add(placeholder);
    maxSpellingLength = Math.max(maxSpellingLength, ...secrets.map(({ length }) => length * MAX_ENCODED_LENGTH));
  }

  const known = (text: string): string => withoutKnown(text, findSecret);

  /** `find`: what counts as a secret in base64, hex and compressed data. */
  function withoutKnown(text: string, find: (text: string) => string | undefined): string {
    if (placeholders.size === 0) return text;
    const plain = withoutLiteral(text);
    // Once per text, because most have no secret: then these are also the forms of what is returned.
    const forms = decodedForms(plain);
    const clean = forms.some(hasSecret) ? withoutEscaped(plain) : plain;
    return withoutPackedSecrets(clean, clean === plain ? forms : decodedForms(clean), {
      findSecret: find,
      redacted: REDACTED,
    });
  }

  const hasSecret = (text: string): boolean => text.search(names.pattern()) >= 0;

  /** Replaces secrets that are not escaped. One of them may be the beginning of another, of which the rest is escaped. */
  function withoutLiteral(text: string): string {
    let mayBePartial = false;
    const plain = text.replace(names.pattern(), (found) => {
      mayBePartial ||= names.isBeginning(found);
      return names.of(found);
    });
    return mayBePartial ? withoutEscaped(text) : plain;
  }

  /** Replaces secrets, also those that only decoding reveals. */
  function withoutEscaped(text: string): string {
    const matches = findInForms(mappedForms(text), names.pattern(), (_, __, secret) => ({
      length: secret.length,
      placeholder: names.of(secret),
    }));
    const clean = replaceMatches(text, matches);
    return decodedForms(clean).some(hasSecret) ? REDACTED : clean;
  }

  /** The placeholder of the first literal secret. */
  function findSecret(text: string): string | undefined {
    const [found] = text.match(names.pattern()) ?? [];
    return found === undefined ? undefined : names.of(found);
  }

  // Only texts with what the target sent may quote the beginning of a secret.
  const findAnyPart = (text: string): string | undefined => findSecret(text) ?? beginnings.find(text);
  const redactText = (text: string): string => withoutSecrets(beginnings.replace(withoutKnown(text, findAnyPart)));

  function deep<T>(value: T): T {
    return mapLeaves(value, (leaf, isSecret) => {
      if (isSecret && !placeholders.has(known(String(leaf)))) return REDACTED;
      return typeof leaf === 'string' ? redactText(leaf) : leaf;
    }) as T;
  }

  const deepKnown = <T>(value: T): T =>
    mapLeaves(value, (leaf) => (typeof leaf === 'string' ? known(leaf) : leaf)) as T;

  return {
    learn,
    learnDerived,
    placeholders,
    known,
    text: redactText,
    deep,
    values: (value) => mapStrings(value, redactText),
    deepKnown,
    get maxSpellingLength() {
      return maxSpellingLength;
    },
  };
}
