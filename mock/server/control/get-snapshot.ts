/** GET /_mock/snapshot: the whole world as JSON, credentials included; journal and fault rules are no part of it. */
import { ok } from '../../http/reply.ts';
import { saveWorld } from '../../world/snapshot.ts';
import type { ControlCall } from './control-call.ts';

export const getSnapshot: ControlCall = { handle: ({ served: { world } }) => ok(saveWorld(world)) };
