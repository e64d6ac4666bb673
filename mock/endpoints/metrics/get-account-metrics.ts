/** Returns cost and usage of an account over a window as a timeseries, grouped and paged. */
import type { Endpoint } from '../endpoint.ts';
import { accountMetrics } from '../../metrics/account-metrics.ts';
import { meteredOf, ownAccount } from './metered-account.ts';

export const getAccountMetrics: Endpoint<'getAccountMetrics'> = (call) => {
  const { world, credential, query } = call;
  const body = accountMetrics({
    ...meteredOf(call),
    parameters: query,
    now: world.clock.now(),
    isAccountAdmin: credential.caller.accountRole === 'account-admin',
    accountId: ownAccount(call),
    cursorSecret: `cursors of world ${world.seed}`,
    seed: world.seed,
    choices: world.choices.metrics,
  });
  return { status: 200, body };
};
