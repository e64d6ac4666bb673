/** Creates that are refused for reasons other than their content. */
import { isRefused } from '../../expect/status.ts';
import { strongestCaller } from '../../engine/callers.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';

/** Payment required, forbidden by the plan, insufficient storage: any may mean a full quota. 429 is retried by the transport. */
const QUOTA_STATUSES: ReadonlySet<number> = new Set([402, 403, 507]);

const isQuotaExhausted = ({ response }: Exchange): boolean => QUOTA_STATUSES.has(response.status);

/** Whether a refusal may mean a full quota: by its status, or by what it says. */
export const mayBeFull = (exchange: Exchange): boolean => isQuotaExhausted(exchange) || saysQuota(exchange);

/** How often a refusal is repeated that may come from a full quota. */
const REPETITIONS = 2;

/**
 * A write that was refused, with whatever status, is repeated after another one was accepted: if a quota is full, or if something
 * that only one resource may use is in use, the target refuses both. Returns the accepted repetition, or the last refusal;
 * undefined if the other write is refused as well.
 */
export async function repeatRefused<Result>(
  repeat: () => Promise<Result>,
  isAccepted: (result: Result) => boolean,
  isOtherAccepted: () => Promise<boolean>,
): Promise<Result | undefined> {
  let last: Result | undefined;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    if (!(await isOtherAccepted())) return undefined;
    last = await repeat();
    if (isAccepted(last)) return last;
  }
  return last;
}

/** Which other statuses a full quota has is not documented. The words must not be those of a limit for one value. */
export const saysQuota = (exchange: Exchange): boolean =>
  isRefused(exchange) &&
  /\bquota\b|\b(limit|maximum)\b.*\breached\b|\breached\b.*\b(limit|maximum)\b/is.test(exchange.response.text);

/** Whether a create cannot be refused because of a missing workspace header. */
export const namesWorkspace = ({ target }: Run): boolean =>
  target.workspace !== undefined || strongestCaller(target).isApiKey !== true;
