/** DELETE /_mock/worlds/{id}: removes a world and closes its streams and sessions. */
import { ok } from '../../http/reply.ts';
import { notFound } from '../../http/problems.ts';
import type { ControlCall } from './control-call.ts';
import { removeWorld } from './worlds.ts';

export const deleteWorld: ControlCall = {
  handle: async ({ worlds, params: { id = '' } }) => {
    if (!(await removeWorld(worlds, id))) throw notFound('World', id);
    return ok({ deleted: id });
  },
};
