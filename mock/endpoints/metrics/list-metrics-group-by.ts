/** Lists the valid groupBy values. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { listGroupByValues } from '../../metrics/enums.ts';
import { ownAccount } from './metered-account.ts';

export const listMetricsGroupBy: Endpoint<'listMetricsGroupBy'> = (call) => {
  ownAccount(call);
  return ok(listGroupByValues());
};
