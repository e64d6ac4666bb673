/** Creates that are refused for something else than what they ask. */
import { isSuccessful } from '../../target/eventually.ts';
import { strongestCaller } from '../../engine/callers.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';

/** Payment required, forbidden by the plan, no room: a full quota may be answered in any of these. 429 is waited for, and then trouble. */
const QUOTA_STATUSES: ReadonlySet<number> = new Set([402, 403, 507]);

export const isQuotaExhausted = ({ answer }: Exchange): boolean => QUOTA_STATUSES.has(answer.status);

/** Throws NotTried where a valid create is refused for a full quota, or may be for a header that the run cannot send. */
export function needQuota(run: Run, exchange: Exchange, what: string): void {
  run.need(!isQuotaExhausted(exchange), `room for ${what} more: ${exchange.answer.status} was the answer`);
  run.need(
    isSuccessful(exchange) || namesWorkspace(run),
    'the workspace of the target: calls that create with an API key carry it',
  );
}

const namesWorkspace = ({ target }: Run): boolean =>
  target.workspace !== undefined || strongestCaller(target).isApiKey !== true;
