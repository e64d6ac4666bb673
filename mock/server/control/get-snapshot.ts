/** GET /_mock/snapshot: the whole world as JSON, including credentials, without journal and fault rules. */
import { ok } from '../../http/reply.ts';
import { saveWorld } from '../../world/snapshot.ts';
import type { ControlCall } from './control-call.ts';

export const getSnapshot: ControlCall = { handle: ({ served: { world } }) => ok(saveWorld(world)) };
