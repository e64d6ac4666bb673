/** GET /_mock/responses: the scripted responses, with how many requests each responded to. */
import { ok, type Reply } from '../../http/reply.ts';
import type { Scripts } from '../../pipeline/scripted-response.ts';
import type { ControlCall } from './control-call.ts';
import type { ResponsesView } from './views.ts';

export const getResponses: ControlCall = { handle: ({ served: { scripts } }) => responsesReply(scripts) };

export function responsesReply(scripts: Scripts): Reply {
  const view: ResponsesView = {
    responses: scripts.map(({ rule }) => rule),
    counts: scripts.map(({ used }) => ({ used })),
  };
  return ok(view);
}
