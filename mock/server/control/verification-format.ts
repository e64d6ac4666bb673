/** The body of POST /_mock/verify. */
import { z } from 'zod';
import { requestLimits } from '../../../spec/formats/mock-limits.ts';
import { recordedMatch } from '../../pipeline/rule-formats.ts';
import type { DeepReadonly } from '../../../spec/formats/readonly-json.ts';
import { MAX_WAIT_SECONDS } from './wait-for-entries.ts';

const count = z.int().min(0);

const expectation = z.strictObject({
  ...recordedMatch.shape,
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
