/** GET /_mock/faults: the rules, with the number of requests that each matched and affected. */
import { ok, type Reply } from '../../http/reply.ts';
import type { ControlCall } from './control-call.ts';
import type { Faults } from '../../pipeline/faults.ts';

export const getFaults: ControlCall = { handle: ({ served: { faults } }) => faultsReply(faults) };

export function faultsReply(faults: Faults): Reply {
  return ok({
    rules: faults.map(({ rule }) => rule),
    counts: faults.map(({ matched, fired }) => ({ matched, fired })),
  });
}
