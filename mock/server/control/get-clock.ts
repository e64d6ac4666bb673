/** GET /_mock/clock: the virtual time, and whether it runs. */
import { ok, type Reply } from '../../http/reply.ts';
import { timestamp, type Clock } from '../../time/clock.ts';
import type { ControlCall } from './control-call.ts';

export const getClock: ControlCall = { handle: ({ served: { world } }) => clockReply(world.clock) };

export function clockReply(clock: Clock): Reply {
  return ok({ now: timestamp(clock.now()), mode: clock.mode() });
}
