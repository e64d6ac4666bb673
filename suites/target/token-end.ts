/** When tokens of the target end, and which refusals that explains: those say nothing about the target. */
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { credentialsOf } from './credentials-of.ts';
import type { Head } from './retry-delay.ts';
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

/** When a token has ended by our clock, as a sentence without a subject. Undefined if it has not. */
export function describePastEnd(token: string): string | undefined {
  const end = endOf(token);
  return end === undefined || end > Date.now() ? undefined : `ended at ${formatEnd(end)}`;
}

export const formatEnd = (end: number): string => new Date(end).toISOString().replace('.000Z', 'Z');

/** What is missing then (`missing` in report.json). */
export const LIFETIME = 'lifetime';

export interface EndedTokens {
  /** Throws NotTried if the token has ended and was refused because of that. */
  throwIfEnded(token: string): void;
  /** Whether the response, with which the target refused the token, shows that it has ended. */
  hasEnded(token: string, refusal: Head): boolean;
  /** Records that a request with the token was refused, if that shows that the token has ended. */
  noteRefusal(token: string, refusal: Head): void;
  /** Adds a token that replaces another one. */
  add(token: string, replaced: string): void;
}

/** Opening a target and loading the cases takes less. */
const MAX_MS_BEFORE_START = 300_000;

/** Date has a resolution of one second, servers format it once per second, and the servers of a target differ slightly. */
const DATE_TOLERANCE_MS = 2000;

/**
 * In milliseconds since the epoch. A refusal without a readable Date is compared with our clock, if its status can only be about
 * the credential: others are also conforming responses to a valid one. Undefined if the time is unknown.
 */
function clockOf({ status, headers }: Head): { readonly earliest: number; readonly latest: number } | undefined {
  const date = Date.parse(headers['date'] ?? '');
  if (!Number.isNaN(date)) return { earliest: date, latest: date + DATE_TOLERANCE_MS };
  return status === 401 ? { earliest: Date.now(), latest: Date.now() } : undefined;
}

/** Of a run that begins now. A token that ended long before, by the clock of the target, is a wrong one. */
export function createEndedTokens(target: Target): EndedTokens {
  const startMs = Date.now();
  const places = new Map(credentialsOf(target).map(([name, { value }]) => [value, `credentials.${name}`]));
  const expired = target.credentials.expired?.value;
  if (expired !== undefined) places.delete(expired);
  const ended = new Map<string, NotTried>();

  /** Undefined if the token has not ended. */
  function endedSince(token: string, refusal: Head): NotTried | undefined {
    const [place, end, clock] = [places.get(token), endOf(token), clockOf(refusal)];
    if (place === undefined || end === undefined || clock === undefined || end > clock.latest) return undefined;
    const earliestStart = clock.earliest - (Date.now() - startMs);
    if (end < earliestStart - MAX_MS_BEFORE_START) return undefined;
    const when = end < earliestStart ? 'before' : 'during';
    return new NotTried(`${place} ended at ${formatEnd(end)}, ${when} the run`, LIFETIME);
  }

  return {
    throwIfEnded(token) {
      const missing = ended.get(token);
      if (missing !== undefined) throw missing;
    },
    hasEnded: (token, refusal) => endedSince(token, refusal) !== undefined,
    noteRefusal(token, refusal) {
      const missing = endedSince(token, refusal);
      if (missing !== undefined) ended.set(token, missing);
    },
    add(token, replaced) {
      const place = places.get(replaced);
      if (place !== undefined) places.set(token, place);
    },
  };
}
