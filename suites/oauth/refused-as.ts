/** Refusals of the token endpoint (RFC 6749 section 5.2). */
import type { Mismatch } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { tokenResponse } from '../kit/oauth/token-requests.ts';
import type { Exchange } from '../target/client.ts';

export const noToken = (exchange: Exchange): Mismatch[] =>
  tokenResponse(exchange).access_token === undefined
    ? []
    : [{ expected: 'no token', actual: 'an access_token', exchange }];

/** A refused request never returns a token. Several errors: any of them. */
export function refusedAs(
  exchange: Exchange,
  statuses: number | readonly number[],
  errors: string | readonly string[],
): Mismatch[] {
  const { error } = tokenResponse(exchange);
  const expected = [errors].flat();
  const wrong = { expected: `error ${expected.join(' or ')}`, actual: `error ${error ?? 'absent'}`, exchange };
  const isExpected = error !== undefined && expected.includes(error);
  return [...status(exchange, statuses), ...(isExpected ? [] : [wrong]), ...noToken(exchange)];
}
