/** Checks that a caller was refused with 4xx, compared with the same request from a permitted caller. */
import type { Mismatch } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { statusClass } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';

/** Whether the credential is the only possible reason for the refusal. */
export const isUnauthorized = ({ response: { status } }: Exchange): boolean => status === 401 || status === 403;

/**
 * `control` is the same request from a permitted caller. If it succeeds, the caller is the only possible reason for a
 * refusal; otherwise only a success is certainly a violation.
 */
export function notRefusedMismatches(exchange: Exchange, who: string, control: Exchange): Mismatch[] {
  if (!isSuccessful(control) && !isSuccessful(exchange)) return [];
  return statusClass(exchange, '4xx').map((found) => ({ ...found, expected: `${found.expected} for ${who}` }));
}
