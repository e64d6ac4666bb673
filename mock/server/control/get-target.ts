/** GET /_mock/target: the world in the form of a target file, with the credentials' values in it. */
import { ok } from '../../http/reply.ts';
import type { ControlCall } from './control-call.ts';

export const getTarget: ControlCall = { handle: ({ served: { target } }) => ok(target) };
