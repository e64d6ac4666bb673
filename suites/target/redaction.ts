/** Keeps secrets out of whatever a run writes: every known one is replaced by its placeholder, such as $SVC_ADMIN_TOKEN. */

/** Tokens that say where a list or a task has come to. */
const notSecret = 'next_?|page_?|cursor_?|sync_?|continuation_?|progress_?';
/** Values of these keys are secrets even when nobody told us of them, as in a fresh token answer. */
const secretKey = `[^"\\\\]*(?:secret|password|passphrase|(?<!${notSecret})token|(?:api|access|private|signing)[_-]?key)`;
const isSecretKey = new RegExp(`^${secretKey}$`, 'i');
const string = String.raw`"(?:[^"\\]|\\.)*(?:"|$)`;
const secretMember = new RegExp(`("${secretKey}"\\s*:\\s*)${string}`, 'gi');

/** An object without another one in it; the last one may be cut. */
const flat = `\\{(?:[^{}"]|${string})*(?:\\}|$)`;
const flatObject = new RegExp(flat, 'g');
/** What a connection keeps is below `secret`. */
const secretObject = new RegExp(`("secret"\\s*:\\s*)(${flat})`, 'g');
const anyMember = new RegExp(`(${string}\\s*:\\s*)${string}`, 'g');
/** Of an environment variable that says `"secret": true`, or was cut before it could. */
const secretMark = /"secret"\s*:\s*true|[^}]$/;
const valueMember = new RegExp(`("value"\\s*:\\s*)${string}`, 'g');
const secretQuery = /([?&#](?:code|access_token|refresh_token|client_secret)=)[^&#\s"']+/g;
export const LEFT_OUT = '(left out)';

const escaped = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A secret as it may stand in a header, an address, a JSON text or a form. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
];

export interface Redaction {
  /** From now on this value is replaced by `$name`; a value already known keeps its first name. */
  learn: (secret: string, name: string) => void;
  /** Learns a credential made out of a known one, as a tampered one is; one that the run made up stays readable. */
  learnDerived: (credential: string) => void;
  /** The names that stand for secrets so far, with their $. */
  readonly placeholders: ReadonlySet<string>;
  /** For texts that we sent: known secrets only. */
  known: (text: string) => string;
  /** For texts that leave the run: known secrets, and values that are secret by their key. */
  text: (text: string) => string;
  /** The same as `text` for every string, at any depth, keys included. */
  deep: <T>(value: T) => T;
  /** The same as `known` for every string, at any depth, keys included. */
  deepKnown: <T>(value: T) => T;
  /** The length of the longest spelling known. */
  readonly longest: number;
}

type Change = (text: string) => string;

/** A change of the text below a key; `whole` is the object that has it. */
type ChangeMember = (key: string, text: string, whole: object) => string;

function mapStrings(value: unknown, change: Change, changeMember: ChangeMember): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, change, changeMember));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]): [string, unknown] => [
    change(key),
    mapMember(key, each, value),
  ]);
  return Object.fromEntries(entries);

  function mapMember(key: string, each: unknown, of: object): unknown {
    if (typeof each === 'string') return changeMember(key, each, of);
    if (key === 'secret') return mapStrings(each, change, (_, text) => changeMember(key, text, of));
    return mapStrings(each, change, changeMember);
  }
}

const isSecretMember = (key: string, of: object): boolean =>
  isSecretKey.test(key) || (key === 'value' && (of as { secret?: unknown }).secret === true);

/** JSON, or a piece of it, without what is secret by its place. */
const withoutSecrets = (text: string): string =>
  text
    .replace(secretMember, `$1"${LEFT_OUT}"`)
    .replace(secretObject, (_, key: string, object: string) => key + object.replace(anyMember, `$1"${LEFT_OUT}"`))
    .replace(flatObject, (object) =>
      secretMark.test(object) ? object.replace(valueMember, `$1"${LEFT_OUT}"`) : object,
    );

/** Same beginning or same end: what is left of a secret after a change at one place. */
const resemble = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 8 && (a.slice(0, 8) === b.slice(0, 8) || a.slice(-8) === b.slice(-8));

export function createRedaction(): Redaction {
  const names = new Map<string, string>();
  let pattern: RegExp | undefined;
  let longest = 0;

  function learn(secret: string, name: string): void {
    if (secret !== '' && !names.has(secret)) replace(spellings(secret), name);
  }

  function learnDerived(credential: string): void {
    if (names.has(credential)) return;
    if ([...names.keys()].some((secret) => resemble(secret.toLowerCase(), credential.toLowerCase())))
      replace([credential], 'SVC_ALTERED_TOKEN');
  }

  function replace(secrets: readonly string[], name: string): void {
    for (const secret of secrets) if (!names.has(secret)) names.set(secret, `$${name}`);
    const all = [...names.keys()].sort((a, b) => b.length - a.length); // longest first: one may begin with another
    longest = all[0]?.length ?? 0;
    pattern = new RegExp(all.map(escaped).join('|'), 'g');
  }

  const known = (text: string): string =>
    pattern === undefined ? text : text.replace(pattern, (found) => names.get(found) ?? LEFT_OUT);

  const whole = (text: string): string => withoutSecrets(known(text)).replace(secretQuery, `$1${LEFT_OUT}`);

  function deep<T>(value: T): T {
    return mapStrings(value, whole, (key, each, of) =>
      isSecretMember(key, of) && !known(each).startsWith('$') ? LEFT_OUT : whole(each),
    ) as T;
  }

  function deepKnown<T>(value: T): T {
    return mapStrings(value, known, (_, each) => known(each)) as T;
  }

  return {
    learn,
    learnDerived,
    get placeholders() {
      return new Set(names.values());
    },
    known,
    text: whole,
    deep,
    deepKnown,
    get longest() {
      return longest;
    },
  };
}
