/** Whether somebody was kept out: 401 or 403, and nothing that the same request gets from inside. */
import type { Mismatch } from '../conforms.ts';
import { isAnswered2xx } from '../eventually.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';

const KEPT_OUT = [401, 403] as const;

export const isKeptOut = ({ answer }: Exchange): boolean => KEPT_OUT.some((each) => each === answer.status);

/**
 * `control`: the same request from inside. Where that is answered 2xx too, nothing but the caller can be wrong with the
 * request; else only a success is certain to be a fault.
 */
export function keptOut(exchange: Exchange, who: string, control: Exchange): Mismatch[] {
  if (!isAnswered2xx(control) && !isAnswered2xx(exchange)) return [];
  return status(exchange, KEPT_OUT).map((found) => ({ ...found, expected: `${found.expected} for ${who}` }));
}
