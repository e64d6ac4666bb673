/** PUT /_mock/snapshot: the world becomes the one that a snapshot holds, here or of another mock. */
import { replaceWorld } from '../../pipeline/served-world.ts';
import { snapshotSchema } from '../../world/snapshot-schema.ts';
import { restoreWorld, type Snapshot } from '../../world/snapshot.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';

export const putSnapshot: ControlCall<Snapshot> = {
  // Sandboxes may hold more than any one body; a spec is as deep as the body it came with, and lies deeper here.
  body: { schema: snapshotSchema, limitBytes: 256 * 1024 * 1024, limitDepth: 80 },
  handle: async ({ served, body }) => {
    await replaceWorld(served, restoreWorld(body, served.config));
    return clockReply(served.world.clock);
  },
};
