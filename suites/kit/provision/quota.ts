/** Creates that are refused for reasons other than their content. */
import { isSuccessful } from '../../target/eventually.ts';
import { strongestCaller } from '../../engine/callers.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';

/** Payment required, forbidden by the plan, insufficient storage: any may mean a full quota. 429 is retried by the transport. */
const QUOTA_STATUSES: ReadonlySet<number> = new Set([402, 403, 507]);

export const isQuotaExhausted = ({ response }: Exchange): boolean => QUOTA_STATUSES.has(response.status);

/** Throws NotTried if a valid create is refused because of a full quota, or possibly because of a missing workspace header. */
export function needQuota(run: Run, exchange: Exchange, what: string): void {
  run.need(!isQuotaExhausted(exchange), `quota for ${what} more (status ${exchange.response.status})`);
  run.need(
    isSuccessful(exchange) || namesWorkspace(run),
    'the workspace of the target: creates with an API key send it',
  );
}

const namesWorkspace = ({ target }: Run): boolean =>
  target.workspace !== undefined || strongestCaller(target).isApiKey !== true;
