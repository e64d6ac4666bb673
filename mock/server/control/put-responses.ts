/** PUT /_mock/responses: replaces the scripted responses, and starts their sequences. */
import { z } from 'zod';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { invalidField } from '../../http/problems.ts';
import { scriptedResponse, type ResponseScript } from '../../pipeline/rule-formats.ts';
import { createScripts } from '../../pipeline/scripted-response.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';
import { requireFewExpectedValues } from './expected-values.ts';
import { responsesReply } from './get-responses.ts';
import { requireConsistent } from './require-consistent.ts';

const scriptedResponses = z.strictObject({
  responses: z
    .array(scriptedResponse)
    .max(requestLimits.rules.max, { error: `an array of at most ${requestLimits.rules.max}` })
    .describe('Only the first match responds.'),
});

export const putResponses: ControlCall<z.infer<typeof scriptedResponses>> = {
  body: bodyFormat(scriptedResponses),
  handle: ({ served, body: { responses } }) => {
    requireFewExpectedValues(responses.map(({ match = {} }) => match));
    for (const [index, { sequence }] of responses.entries())
      for (const [nth, each] of sequence.entries()) checkResponse(`responses[${index}].sequence[${nth}]`, each);
    served.scripts = createScripts(responses, served.world.seed);
    return responsesReply(served.scripts);
  },
};

function checkResponse(where: string, response: ResponseScript): void {
  requireConsistent(where, response);
  if (response.status !== undefined) return;
  for (const member of ['headers', 'body'] as const)
    if (response[member] !== undefined)
      throw invalidField(`${where}.${member}`, response[member], `${member} only with a status`);
}
