/** Whether a request that was sent several times still shows what the target does. */
import { idempotentMethods } from '../target/retry-delay.ts';
import type { Exchange, Unprocessed } from '../target/exchange.ts';

/** A gateway does not say whether the request was carried out (RFC 9110 15.6.3 and 15.6.5); 503 says that it was not. */
const mayHaveHadEffect = (before: Unprocessed): boolean => before === 'no response' || before === 502 || before === 504;

/**
 * Why the response may be that to a second request: an earlier one may have had its effect. Undefined if the response can be
 * judged: a repetition of an idempotent request has the same effect (RFC 9110 9.2.2), except that what the first DELETE has
 * removed is not there any more.
 */
export function describeRepetition({ request, response: { status }, repeatedAfter }: Exchange): string | undefined {
  const cause = repeatedAfter.find(mayHaveHadEffect) ?? conflictCause(status, repeatedAfter);
  const isGone = request.method === 'DELETE' && (status === 404 || status === 410);
  if (cause === undefined || (idempotentMethods.has(request.method) && !isGone)) return undefined;
  const what = cause === 'no response' ? 'the connection broke' : `a response was ${cause}`;
  return `${what} and a ${request.method} request was sent again, although an earlier one may have had its effect`;
}

/** A service that fails with 503 after it has created something refuses to create it again. */
const conflictCause = (status: number, repeatedAfter: readonly Unprocessed[]): Unprocessed | undefined =>
  status === 409 ? repeatedAfter[0] : undefined;
