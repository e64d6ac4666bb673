/** POST /_mock/reset: restores the initial world and clock; clears the journal, the fault rules and the scripted responses, and begins a replay again. */
import { resetWorld } from '../../pipeline/served-world.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';

export const postReset: ControlCall = {
  handle: async ({ served }) => {
    await resetWorld(served);
    return clockReply(served.world.clock);
  },
};
