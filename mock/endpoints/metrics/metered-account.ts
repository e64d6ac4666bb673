/** Checks that a call requests the metrics of the caller's own account. */
import type { Call } from '../endpoint.ts';
import { notFound } from '../../http/problems.ts';
import { meteredAccount } from '../../state/lifetimes.ts';
import type { MeteredAccount } from '../../metrics/meters.ts';

type MetricsId = 'getAccountMetrics' | 'listMetricsGroupBy' | 'listMetricsResourceTypes';

/** A foreign account gets the same response as an unknown one (metrics.accounts.foreign-refused). */
export function ownAccount({ credential, path }: Call<MetricsId>): string {
  const { account } = credential.caller;
  if (path.accountId !== account) throw notFound('Account', path.accountId);
  return account;
}

export function meteredOf(call: Call<MetricsId>): MeteredAccount {
  return meteredAccount(call.world, ownAccount(call));
}
