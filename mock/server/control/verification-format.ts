/** The body of POST /_mock/verify. */
import { z } from 'zod';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { isOperationId, type OperationId } from '../../../spec/operations.ts';
import { expectedOperation } from '../../pipeline/expected-operation.ts';
import { json, type DeepReadonly } from '../../../spec/formats/readonly-json.ts';
import { MAX_WAIT_SECONDS } from './wait-for-entries.ts';

const count = z.int().min(0);

const expectation = z.strictObject({
  method: z.string().describe('Such as POST.').exactOptional(),
  path: z.string().describe('With * as a wildcard, such as /v0/agents/*.').exactOptional(),
  status: z.union([z.int(), z.string()]).describe('A status or a class, such as 404 or 4xx.').exactOptional(),
  operation: z
    .custom<OperationId>((value) => typeof value === 'string' && isOperationId(value), {
      error: ({ input }) => expectedOperation(input),
    })
    .meta({ type: 'string' })
    .exactOptional(),
  body: json
    .describe(
      'What the JSON body has. Members that are not listed may have any value; lists must be equal. Bodies of more than 4000 characters do not match.',
    )
    .exactOptional(),
  times: count.describe('Exactly so many requests; without atLeast and atMost.').exactOptional(),
  atLeast: count.describe('Default: 1, or 0 with atMost.').exactOptional(),
  atMost: count.describe('Default: no limit.').exactOptional(),
});

export const verification = z.strictObject({
  requests: z
    .array(expectation)
    .min(1)
    .max(requestLimits.expectations.max, { error: `an array of 1 to ${requestLimits.expectations.max}` })
    .describe('Expected requests.'),
  inOrder: z
    .boolean()
    .describe(
      'Whether each expectation must be met by a request after the one that meets the expectation before. Default: false.',
    )
    .exactOptional(),
  wait: z
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .describe('Seconds of real time to wait until all expectations are met. Default: 0.')
    .exactOptional(),
});

export type Verification = DeepReadonly<z.infer<typeof verification>>;
export type Expectation = DeepReadonly<z.infer<typeof expectation>>;
