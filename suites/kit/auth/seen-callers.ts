/** Callers of requests, and whether they were refused, as rules see them in anybody's traffic. */
import { headerNames } from '../../../spec/brand.ts';
import { errorBody } from '../../expect/error-body.ts';
import { status, statusClass } from '../../expect/status.ts';
import { saysNothing, type Judged } from '../../judge/judgement.ts';
import type { Facts, Seen, SeenCaller } from '../../judge/seen.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { MALFORMED, UNKNOWN, UNSIGNED } from './carriers.ts';

export type Carrier = 'standard' | 'brand';

/** The values of the two headers that are present. */
export function credentialsOf(seen: Seen, { brand }: Facts): ReadonlyMap<Carrier, string> {
  const values = {
    standard: seen.header('authorization'),
    brand: seen.header(headerNames(brand).authorization),
  };
  return new Map(Object.entries(values).filter((entry): entry is [Carrier, string] => entry[1] !== undefined));
}

/** As `seen.caller`, and of a request whose only credential is written as the placeholder of one in the target file. */
export function callerOf(seen: Seen, facts: Facts): SeenCaller {
  const values = [...credentialsOf(seen, facts).values()];
  if (seen.caller !== 'other' || values.length !== 1) return seen.caller;
  const { scoped, ...named } = facts.credentials;
  const isSent = ([, { name }]: readonly [string, { readonly name: string }]): boolean =>
    values[0] === `Bearer $${name}`;
  const own = (Object.entries(named) as [keyof typeof named, { readonly name: string }][]).find(isSent);
  const scope = Object.entries(scoped).find(isSent)?.[0];
  return own?.[0] ?? (scope === undefined ? 'other' : { scope });
}

/** Other parts of a request that a server may take for a credential, although none is documented. */
const otherCredential = /cookie|token|key|auth|signature|secret|session/i;

/** Whether the request has no credential at all. */
export const isAnonymous = (seen: Seen): boolean =>
  seen.caller === 'none' &&
  ![...Object.keys(seen.exchange.request.headers), ...seen.query.map(([name]) => name)].some(
    (name) => otherCredential.test(name) && name.toLowerCase() !== 'mcp-session-id',
  );

/** Values of the headers that no server has issued. */
const unissued: ReadonlySet<string> = new Set([...MALFORMED, UNKNOWN, `Bearer ${UNSIGNED}`]);

/** Whether its only credential is malformed, or one that nobody has. */
export function isUnissued(seen: Seen, facts: Facts): boolean {
  const values = [...credentialsOf(seen, facts).values()];
  return values.length === 1 && unissued.has(values[0]!.trim()) && seen.header('cookie') === undefined;
}

/** Without a valid credential. */
export const isStranger = (seen: Seen, facts: Facts): boolean => isAnonymous(seen) || isUnissued(seen, facts);

/** The exchange of a caller who must be refused with any 4xx. A server error is not about the caller. */
export function notRefused({ exchange, status: code }: Seen): Judged {
  if (saysNothing(code) || (!isSuccessful(exchange) && (code < 400 || code > 499))) return undefined;
  return statusClass(exchange, '4xx');
}

/** An agent update of a caller who must be refused with this status. Other errors may be about the agent or the update. */
export function refusedUpdateMismatches(seen: Seen, code: 401 | 403): Judged {
  if (seen.status === code) return seen.json === undefined ? [] : errorBody(seen.exchange);
  // A credential may have expired, so 401 is no violation instead of 403. A gateway has no JSON.
  const isWrong = isSuccessful(seen.exchange) || (code === 401 && seen.status === 403 && seen.json !== undefined);
  return isWrong ? status(seen.exchange, code) : undefined;
}
