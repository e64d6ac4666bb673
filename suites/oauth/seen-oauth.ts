/** Requests to the OAuth endpoints as rules see them in anybody's traffic. */
import { saysNothing, type Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { fieldsOf } from '../json/fields.ts';
import { challengeOf, redirectedParameters } from '../kit/oauth/grants.ts';
import { refusedAs } from './refused-as.ts';

export type Parameters = ReadonlyMap<string, string>;

/** Values that no server knows, because assay invents them. */
export const isInvented = (value: string): boolean => /(^|[:_-])assay/.test(value);

/** Recordings replace secrets, so that equal texts need not be equal values: `$NAME`, `SECRET`, `********`. */
export const isReadable = (secret: string): boolean =>
  /^[\w.~+/=-]{12,}$/.test(secret) && !/redact|secret|hidden|removed|placeholder|x{6}/i.test(secret);

/** Undefined if a parameter is repeated, which is invalid (RFC 6749 sections 3.1 and 3.2). */
function parametersOf(pairs: Seen['query']): Parameters | undefined {
  const parameters = new Map(pairs);
  return parameters.size === pairs.length ? parameters : undefined;
}

/** The parameters of an authorization request. Undefined if one is repeated. */
export const authorizationOf = ({ query }: Seen): Parameters | undefined => parametersOf(query);

/** The parameters of a token request. Undefined if it is not form-encoded, or repeats one. */
export function tokenRequestOf(seen: Seen): Parameters | undefined {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(seen.header('content-type') ?? '');
  return isForm ? parametersOf([...new URLSearchParams(seen.sentText ?? '')]) : undefined;
}

/** A parameter without a value counts as omitted (RFC 6749 section 3.2). */
export const valueOf = (parameters: Parameters, name: string): string | undefined => parameters.get(name) || undefined;

/** A successful response of the token endpoint. Undefined if it is no JSON object, which oauth.token.is-json judges. */
export const successOf = (seen: Seen) => (seen.status === 200 ? fieldsOf(seen.json) : undefined);

export const hasToken = (seen: Seen): boolean => fieldsOf(seen.json)?.['access_token'] !== undefined;

/** The error of the token endpoint. */
export const errorOf = (seen: Seen): unknown => fieldsOf(seen.json)?.['error'];

/** Whether the request has the credentials of a client: without them it has another error. */
export const hasClient = (seen: Seen, parameters: Parameters): boolean =>
  /^basic ./i.test(seen.header('authorization') ?? '') || parameters.has('client_secret');

/** Errors about other parts of a request than its grant: which is checked first is not documented. */
const otherErrors: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
];

/**
 * Mismatches of the refusal of a token request. Undefined if it may be refused for another reason than the one that the rule
 * is about; `wrong`: an error that cannot be such a reason.
 */
export function refusal(seen: Seen, status: number, errors: string | readonly string[], wrong?: string): Judged {
  const error = errorOf(seen);
  const isOther = otherErrors.includes(error) && error !== wrong && ![errors].flat().some((each) => each === error);
  if (!hasToken(seen) && (saysNothing(seen.status) || typeof error !== 'string' || isOther)) return undefined;
  return refusedAs(seen.exchange, status, errors);
}

/** The codes of a recording. */
export interface IssuedCodes {
  /** Remembers the code of an authorization request, if it got one. */
  note(seen: Seen): undefined;
  /** The authorization request that got the code. */
  requestOf(code: string): Parameters | undefined;
  readonly isEmpty: boolean;
  /** Whether the code was made from an issued one: it has one other character, or one more. */
  resembles(code: string): 'one other' | 'one more' | undefined;
}

export function issuedCodes(): IssuedCodes {
  const requests = new Map<string, Parameters>();
  /** A code is unique: a text that occurs twice is a placeholder. */
  const repeated = new Set<string>();
  return {
    note(seen) {
      const request = authorizationOf(seen);
      const code = request && redirectOf(seen, request)?.get('code');
      if (!request || !code || !isReadable(code) || repeated.has(code)) return undefined;
      if (requests.delete(code)) repeated.add(code);
      else requests.set(code, request);
      return undefined;
    },
    requestOf: (code) => requests.get(code),
    get isEmpty() {
      return requests.size === 0;
    },
    resembles(code) {
      if (requests.has(code)) return undefined;
      const issued = [...requests.keys()];
      if (issued.some((each) => each === code.slice(0, -1))) return 'one more';
      return issued.some((each) => hasOneOther(each, code)) ? 'one other' : undefined;
    },
  };
}

const hasOneOther = (issued: string, code: string): boolean =>
  code.length === issued.length && [...code].filter((character, at) => character !== issued[at]).length === 1;

/** The parameters of a redirect to the client: a code or an error (RFC 6749 sections 4.1.2 and 4.1.2.1). */
export function redirectOf(seen: Seen, request: Parameters): URLSearchParams | undefined {
  const uri = valueOf(request, 'redirect_uri');
  if (uri === undefined || seen.responseHeader('location') === undefined) return undefined;
  const parameters = redirectedParameters(seen.exchange, uri);
  return parameters?.has('code') === true || parameters?.has('error') === true ? parameters : undefined;
}

/** Whether the verifier fits the challenge of the authorization request. Undefined if that cannot be known. */
export function fits(verifier: string, request: Parameters): boolean | undefined {
  const challenge = valueOf(request, 'code_challenge');
  if (challenge === undefined || valueOf(request, 'code_challenge_method') !== 'S256') return undefined;
  return isReadable(verifier) && isReadable(challenge) ? challengeOf(verifier) === challenge : undefined;
}
