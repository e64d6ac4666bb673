/** PUT /_mock/snapshot: replaces the world with that of a snapshot, also of another mock. */
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { replaceWorld } from '../../pipeline/served-world.ts';
import { mayHoldToken, snapshotSchema, type Snapshot } from '../../world/snapshot-schema.ts';
import { restoreWorld } from '../../world/snapshot.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { clockReply } from './get-clock.ts';
import { rejectInvalidWorld } from './reject-invalid-world.ts';

const { parse, jsonSchema } = bodyFormat(snapshotSchema, mayHoldToken);

export const putSnapshot: ControlCall<Snapshot> = {
  // All files of all sandboxes; a spec is nested more deeply here than in its own body.
  body: { parse: parseSnapshot, jsonSchema, isWorld: true, limitBytes: requestLimits.snapshotBody.max, limitDepth: 80 },
  handle: async ({ served, body }) => {
    await rejectInvalidWorld(() => replaceWorld(served, restoreWorld(body, served.config)));
    return clockReply(served.world.clock);
  },
};

/** Returns the body itself: in the parsed copy, members are in the order of the schema, and a later snapshot would differ. */
function parseSnapshot(body: unknown): Snapshot {
  parse(body);
  return body as Snapshot;
}
