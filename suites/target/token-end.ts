/** When tokens of the target end, and which refusals that explains: those say nothing about the target. */
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { credentialsOf } from './credentials-of.ts';
import { NotTried } from './violation.ts';
import type { Target } from './target.ts';

/** The claims of a JWT, without checking its signature. Undefined if it is none. */
const claimsOf = (token: string): Readonly<Record<string, unknown>> | undefined => {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  return payload === undefined ? undefined : fieldsOf(jsonIn(Buffer.from(payload, 'base64url').toString()));
};

/** In milliseconds since the epoch, from the claim `exp` (RFC 7519 section 4.1.4). Undefined if the token has none. */
export function endOf(token: string): number | undefined {
  const exp = claimsOf(token)?.['exp'];
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
}

/** In seconds: independent of clocks. Undefined if the token does not say when it was issued and ends. */
export function lifetimeOf(token: string): number | undefined {
  const { iat, exp } = claimsOf(token) ?? {};
  return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : undefined;
}

export interface EndingCredential {
  /** Its key in the target file, such as `credentials.admin`. */
  readonly place: string;
  /** In milliseconds since the epoch. */
  readonly end: number;
}

/**
 * The credentials that end after `now` and cannot be renewed, the first to end first. An end in the past is a wrong token, or
 * the clock of another target.
 */
export const endingCredentials = (target: Target, now = Date.now()): EndingCredential[] =>
  credentialsOf(target)
    .filter(([name, { renewal }]) => name !== 'expired' && renewal === undefined)
    .flatMap(([name, { value }]) => {
      const end = endOf(value);
      return end === undefined || end <= now ? [] : [{ place: `credentials.${name}`, end }];
    })
    .toSorted((one, other) => one.end - other.end);

export const formatEnd = (end: number): string => new Date(end).toISOString().replace('.000Z', 'Z');

/** What is missing then (`missing` in report.json). */
export const LIFETIME = 'lifetime';

export interface EndedTokens {
  /** Throws NotTried if the token has ended and was refused because of that. */
  throwIfEnded(token: string): void;
  /** Whether the token, which was refused, has ended by the clock of the target or by ours. */
  hasEnded(token: string, responseDate: string | undefined): boolean;
  /** Records that a request with the token was refused, if the token has ended by the clock of the target or by ours. */
  noteRefusal(token: string, responseDate: string | undefined): void;
  /** Adds a token that replaces another one. */
  add(token: string, replaced: string): void;
}

/** Opening a target and loading the cases takes less. */
const MAX_MS_BEFORE_START = 300_000;

/** Of a run that begins now. A token that ended long before is a wrong one, or its target has another clock. */
export function createEndedTokens(target: Target): EndedTokens {
  const firstMs = Date.now() - MAX_MS_BEFORE_START;
  const places = new Map(credentialsOf(target).map(([name, { value }]) => [value, `credentials.${name}`]));
  const expired = target.credentials.expired?.value;
  if (expired !== undefined) places.delete(expired);
  const ended = new Map<string, NotTried>();

  /** Undefined if the token has not ended. */
  function endedSince(token: string, responseDate: string | undefined): NotTried | undefined {
    const [place, end] = [places.get(token), endOf(token)];
    if (place === undefined || end === undefined || end < firstMs) return undefined;
    // Date has a resolution of one second.
    const targetMs = Date.parse(responseDate ?? '') + 999;
    const hasEnded = Date.now() >= end || targetMs >= end;
    return hasEnded ? new NotTried(`${place} ended at ${formatEnd(end)}`, LIFETIME) : undefined;
  }

  return {
    throwIfEnded(token) {
      const missing = ended.get(token);
      if (missing !== undefined) throw missing;
    },
    hasEnded: (token, responseDate) => endedSince(token, responseDate) !== undefined,
    noteRefusal(token, responseDate) {
      const missing = endedSince(token, responseDate);
      if (missing !== undefined) ended.set(token, missing);
    },
    add(token, replaced) {
      const place = places.get(replaced);
      if (place !== undefined) places.set(token, place);
    },
  };
}
