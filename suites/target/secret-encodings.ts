/** The encodings of a whole secret that a literal search finds: base64 and hex. */
import { escapeRegExp } from '../../spec/escape-regexp.ts';

/** Shorter parts of base64 could occur by chance. */
const MIN_CORE_LENGTH = 7;

/** Texts that a literal search finds: the secret itself, and encodings of the whole secret. */
export function literalEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // OAuth clients encode both parts before they join them (RFC 6749 section 2.3.1).
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const texts = new Set([secret, JSON.stringify(secret).slice(1, -1), form, encodeURIComponent(secret.toWellFormed())]);
  const cores = [...texts].flatMap((text) => base64Cores(Buffer.from(text)));
  return [secret, ...cores, bytes.toString('hex'), bytes.toString('hex').toUpperCase()].filter(
    (each, index) => index === 0 || each.length >= MIN_CORE_LENGTH,
  );
}

/**
 * The part of base64 and base64url that depends only on the secret, wherever it begins within a longer text, such as `id:secret`
 * or a cursor.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters may contain bits of neighbours.
    const from = offset === 0 ? 0 : offset + 1;
    const isWhole = (offset + bytes.length) % 3 === 0;
    const core = encoded.slice(from, isWhole ? undefined : -1);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The source of a regular expression for a secret. Form encoding writes a space as +. */
export const secretPattern = (secret: string): string => escapeRegExp(secret).replaceAll(' ', '[ +]');

/** Without secrets it matches nothing. Of secrets that begin with one another, it finds the first in the list. */
export const patternOf = (secrets: readonly string[]): RegExp =>
  new RegExp(secrets.map(secretPattern).join('|') || '(?!)', 'g');

/** The secrets with which others begin, with + as a space. */
export function beginningsAmong(secrets: readonly string[]): ReadonlySet<string> {
  const sorted = secrets.toSorted((a, b) => (a < b ? -1 : 1));
  return new Set(sorted.filter((secret, index) => sorted[index + 1]?.startsWith(secret)).map(withSpaces));
}

/** Made when it is used after a change, because that takes as long for one new secret as for many. */
export function lazy<Made>(make: () => Made): { get: () => Made; renew: () => void } {
  let made: { readonly value: Made } | undefined;
  return {
    get: () => (made ??= { value: make() }).value,
    renew: () => void (made = undefined),
  };
}

/** What two texts have in common if the pattern of one matches the other. */
export const withSpaces = (text: string): string => text.replaceAll('+', ' ');
