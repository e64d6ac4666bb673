/** Redacts secrets in everything a run writes: each known one is replaced by its placeholder, such as $SVC_ADMIN_TOKEN. */
import { isSecretField, isSecretVariable, placeOf, secretName } from '../../spec/secret-names.ts';
import type { SecretPlace } from '../../spec/secret-names.ts';
import { withoutSecretMembers } from './secret-members.ts';
import { asBytes, decodings, patternOf, spellings } from './secret-spellings.ts';
import { secretsOf } from './target.ts';
import type { Target } from './target.ts';

/** A secret member of JSON, even in text with unbalanced quotes. */
const secretMember = new RegExp(
  `("${secretName}"\\s*:\\s*)(?:"(?:[^"\\\\]+|(?:\\\\[^])+)*\\\\?(?:"|$)|-?\\d[\\d.eE+-]*)`,
  'gi',
);
const parameter = /([?&#;])([^?&#;=\s"'<>]+)=([^&#;\s"'<>\\]+)/g;
/** User info of a URL, with escaped or plain slashes. At most as long as the stack permits. */
const userInfo = /(:(?:\\?\/){2})(?:[^\s/?#"'<>\\]|\\[\\u]){0,10000}@/g;
/** Whether a text is completely form-encoded. */
function isFormEncoded(text: string): boolean {
  const trimmed = text.trimEnd();
  const end = trimmed.indexOf('=');
  return end > 0 && !/\s/.test(trimmed) && !/[&?#/{}[\]"'<>]/.test(trimmed.slice(0, end));
}
export const REDACTED = '(redacted)';

/** Characters. Shorter values occur everywhere, so replacing them would garble what a run writes. */
export const MIN_SECRET_LENGTH = 5;

/** A character may be written as nine: `%E2%82%AC`. */
const MAX_ENCODED_LENGTH = 9;

/** The value of a cookie that the target sets. It may contain commas, like a list of cookies. */
const cookieValue = /(^|[,\n]\s*)([^=;,\s]+)=[^;,]*(?:,(?!\s*[^=;,\s]+=)[^;,]*)*/g;

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
  if (Array.isArray(value)) return value.map((each: unknown) => mapLeaves(each, mapLeaf, place));
  const entries = Object.entries(value).map(([key, each]: [string, unknown]): [string, unknown] => [
    mapLeaf(key, false),
    isCookieHeader(key)
      ? mapLeaves(withoutCookieValues(each), mapLeaf)
      : mapLeaves(each, mapLeaf, place === 'secret' ? place : placeWithin(key, value)),
  ]);
  return Object.fromEntries(entries);
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
  const isForm = isFormEncoded(text);
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

/** Characters of a secret that a truncated text must contain. Base64 and hex of as many are longer. */
const MIN_BEGINNING = 12;
/** Characters. Longer secrets are tokens, whose beginning is no secret. */
const MAX_QUOTED = 200;

/** A secret as it may be written without escapes. */
interface Spelling {
  readonly text: string;
  /** With $. */
  readonly placeholder: string;
  /** How many characters of its beginning are secret; undefined if only the whole is. */
  readonly minBeginning: number | undefined;
}

/** Finds spellings in texts. */
interface Finder {
  add(spelling: Spelling): void;
  /** Replaces what is found in the text and in its decoded forms. */
  replace(text: string): string;
}

/** `minOf`: how many characters of a spelling's beginning are enough; undefined to leave it out. */
function createFinder(minOf: (each: Spelling) => number | undefined): Finder {
  /** By the characters to search for. In them, + is a space, and those of hex are in lower case. */
  const found = new Map<string, Spelling[]>();
  const sources = new Set<string>();
  let pattern: RegExp | undefined;
  const spellingsOf = (text: string): readonly Spelling[] =>
    found.get(withSpaces(text)) ?? found.get(withSpaces(text.toLowerCase())) ?? [];

  function spellingsIn(text: string): Spelling[] {
    // Made only after a change: that takes as long for one new secret as for many.
    pattern ??= new RegExp(longestFirst([...sources]).join('|') || '(?!)', 'g');
    return (text.match(pattern) ?? []).flatMap(spellingsOf);
  }

  return {
    add(spelling) {
      const min = minOf(spelling);
      if (min === undefined) return;
      const characters = spelling.text.slice(0, min);
      for (const each of new Set([characters, asBytes(characters)])) {
        const key = withSpaces(each);
        found.set(key, [...(found.get(key) ?? []), spelling]);
        sources.add(patternOf(each, false));
        pattern = undefined;
      }
    },
    replace(text) {
      const forms = decodings(text);
      const present = new Set([text, ...forms].flatMap(spellingsIn));
      if (present.size === 0) return text;
      const matchesOf = (each: Spelling): Match[] => {
        const escaped = new RegExp(patternOf(each.text, forms.length > 0, minOf(each)), 'g');
        const { placeholder } = each;
        return Array.from(text.matchAll(escaped), ({ 0: { length }, index: from }) => ({
          from,
          to: from + length,
          placeholder,
        }));
      };
      const matches = [...present].flatMap(matchesOf);
      const clean = withoutMatches(text, matches);
      return decodings(clean).some((each) => spellingsIn(each).length > 0) ? REDACTED : clean;
    },
  };
}

interface Match {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly placeholder: string;
}

/** Of overlapping matches, the longest of those that begin first is replaced, and the rest of the others is omitted. */
function withoutMatches(text: string, matches: readonly Match[]): string {
  let [clean, end] = ['', 0];
  for (const { from, to, placeholder } of matches.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) clean += text.slice(end, from) + placeholder;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/** What two texts have in common if the pattern of one matches the other. */
const withSpaces = (text: string): string => text.replaceAll('+', ' ');

const longestFirst = (texts: readonly string[]): string[] => texts.toSorted((a, b) => b.length - a.length);

export function createRedaction(): Redaction {
  const whole = createFinder(({ text }) => text.length);
  const beginnings = createFinder(({ minBeginning }) => minBeginning);
  const secrets = new Set<string>();
  const placeholders = new Set<string>();
  /** In lower case, without altered ones: what resembles one of those need not resemble a secret. */
  const secretsOfTarget = new Set<string>();
  let maxSpellingLength = 0;

  function learn(secret: string, name: string): void {
    if (secret.length < MIN_SECRET_LENGTH || secrets.has(secret)) return;
    const isQuoted = !secret.startsWith('eyJ') && secret.length > MIN_BEGINNING && secret.length <= MAX_QUOTED;
    for (const text of spellings(secret)) {
      secretsOfTarget.add(text.toLowerCase());
      const longer = Math.max(1, text.length / Buffer.byteLength(secret));
      add(secret, {
        text,
        placeholder: `$${name}`,
        minBeginning: isQuoted ? Math.ceil(MIN_BEGINNING * longer) : undefined,
      });
    }
  }

  function learnDerived(credential: string, minLength = MIN_PART_LENGTH): void {
    // A second space or word may be before a secret, as one is elsewhere: it stays that secret.
    if (secrets.has(credential) || secrets.has(credential.replace(/^[a-z]*\s+/i, ''))) return;
    const texts = [credential, ...decodings(credential)].map((each) => each.toLowerCase());
    if ([...secretsOfTarget].some((secret) => texts.some((text) => resembles(text, secret, minLength))))
      add(credential, { text: credential, placeholder: '$SVC_ALTERED_TOKEN', minBeginning: undefined });
  }

  function add(secret: string, spelling: Spelling): void {
    secrets.add(secret);
    whole.add(spelling);
    beginnings.add(spelling);
    placeholders.add(spelling.placeholder);
    maxSpellingLength = Math.max(maxSpellingLength, spelling.text.length * MAX_ENCODED_LENGTH);
  }

  const known = (text: string): string => whole.replace(text);
  // Only texts with what the target sent may quote the beginning of a secret.
  const redactText = (text: string): string => withoutSecrets(beginnings.replace(known(text)));

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
