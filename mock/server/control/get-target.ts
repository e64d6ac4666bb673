/** GET /_mock/target: the world as a target file that contains the values of the credentials. */
import { ok } from '../../http/reply.ts';
import type { ControlCall } from './control-call.ts';

export const getTarget: ControlCall = { handle: ({ served: { target } }) => ok(target) };
