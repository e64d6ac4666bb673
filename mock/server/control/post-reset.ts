/** POST /_mock/reset: back to the world as it began, its clock too; the journal is empty then, and no fault rule is left. */
import { resetWorld } from '../../pipeline/served-world.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';

export const postReset: ControlCall = {
  handle: async ({ served }) => {
    await resetWorld(served);
    return clockReply(served.world.clock);
  },
};
