/** The format of a fault rule of `/_mock/faults`. */
import { z } from 'zod';
import { nearest } from '../../spec/nearest.ts';
import { isOperationId, operations, type OperationId } from '../../spec/operations.ts';

const MAX_DELAY_MS = 600_000;

/** RFC 9110 5.1. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

export const faultRule = z.strictObject({
  operation: z
    .custom<OperationId>((value) => typeof value === 'string' && isOperationId(value), {
      error: ({ input }) => `an operationId of the documents${similarTo(String(input))}`,
    })
    .meta({ type: 'string' })
    .describe('The operation that it applies to. Absent: every request, including those to unknown paths.')
    .exactOptional(),
  every: z.int().min(1).describe('Only every nth of the matching requests.').exactOptional(),
  times: z.int().min(1).describe('Maximum number of requests that it affects.').exactOptional(),
  probability: z.number().min(0).max(1).describe('Default 1.').exactOptional(),
  status: z
    .int()
    .min(400)
    .max(599)
    .describe('Returned instead of calling the operation, which then has no effect.')
    .exactOptional(),
  headers: z
    .record(z.string(), z.string().regex(/^[\x20-\x7e]*$/, { error: 'visible ASCII characters and spaces' }))
    .refine((headers) => Object.keys(headers).every((name) => HEADER_NAME.test(name)), {
      error: "an object whose keys are header names: letters, digits and !#$%&'*+.^_`|~-",
    })
    .describe('Headers of a response with `status`.')
    .exactOptional(),
  delayMs: z.int().min(0).max(MAX_DELAY_MS).describe('Real time, before anything else.').exactOptional(),
  cut: z
    .enum(['before', 'after'])
    .describe('Closes the connection before or after the request has its effect.')
    .exactOptional(),
  brokenJson: z.boolean().describe("Sends only the first half of the response's JSON.").exactOptional(),
});

export type FaultRule = Readonly<z.infer<typeof faultRule>>;

function similarTo(wrong: string): string {
  const similar = nearest(
    wrong,
    operations.map(({ id }) => id),
  );
  return `, such as ${similar.length === 0 ? 'updateAgent' : similar.join(', ')}`;
}
