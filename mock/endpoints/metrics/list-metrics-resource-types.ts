/** Lists the resource types that were metered in a window. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { listResourceTypes } from '../../metrics/enums.ts';
import { meteredOf } from './metered-account.ts';

export const listMetricsResourceTypes: Endpoint<'listMetricsResourceTypes'> = (call) => {
  const { world, query } = call;
  return ok(listResourceTypes({ ...meteredOf(call), parameters: query, now: world.clock.now(), seed: world.seed }));
};
