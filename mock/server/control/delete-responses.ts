/** DELETE /_mock/responses: removes all scripted responses. */
import type { ControlCall } from './control-call.ts';
import { responsesReply } from './get-responses.ts';

export const deleteResponses: ControlCall = {
  handle: ({ served }) => {
    served.scripts = [];
    return responsesReply(served.scripts);
  },
};
