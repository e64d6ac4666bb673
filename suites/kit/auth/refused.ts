/** Whether somebody was kept out: refused (4xx), where the same request is let in from inside. */
import type { Mismatch } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { statusClass } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';

/** Nothing but the credential can have been the reason. */
export const isKeptOut = ({ response: { status } }: Exchange): boolean => status === 401 || status === 403;

/**
 * `control`: the same request from inside. Where that is answered 2xx too, nothing but the caller can be wrong with the
 * request; else only a success is certain to be a fault.
 */
export function keptOut(exchange: Exchange, who: string, control: Exchange): Mismatch[] {
  if (!isSuccessful(control) && !isSuccessful(exchange)) return [];
  return statusClass(exchange, '4xx').map((found) => ({ ...found, expected: `${found.expected} for ${who}` }));
}
