/** Checks that unknown methods return the JSON-RPC error for them. */
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { unknownMethod, unknownMethods } from '../generators/unknown-method.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { hasResponse } from '../kit/mcp/expect.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import type { Exchange } from '../target/client.ts';
import { inSession } from '../kit/mcp/session.ts';

export const checkUnknownMethods = (run: Run, endpoint: Endpoint, expectedCode: number): Promise<void> =>
  inSession(run, endpoint, async (session) => {
    run.need(session.started.message?.result, 'an MCP server that initializes');
    let requestCount = 0;
    const request = (method: string, hasParams: boolean): Promise<McpResponse> =>
      hasParams
        ? session.request(method, { name: 'assay', arguments: {} }, `unknown-${(requestCount += 1)}`)
        : session.request(method);
    await run.forAll(
      { method: unknownMethod, hasParams: fc.boolean() },
      async ({ method, hasParams }) => unknownMethodMismatches(expectedCode, await request(method, hasParams)),
      {
        runs: Math.ceil(run.runs / 5),
        examples: unknownMethods.map((method, index) => ({ method, hasParams: index % 2 === 1 })),
      },
    );
  });

/** Every error has a message (JSON-RPC 2.0 section 5.1). */
const noMessage = (text: unknown, exchange: Exchange): Mismatch => ({
  expected: 'error.message: a string',
  actual: `error.message: ${formatValue(text)}`,
  exchange,
});

function unknownMethodMismatches(expectedCode: number, response: McpResponse): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return hasResponse(response);
  const { code, message: text } = fieldsOf(message.error) ?? {};
  if (code === expectedCode && message.result === undefined)
    return [...hasResponse(response), ...(typeof text === 'string' ? [] : [noMessage(text, exchange)])];
  const actual = message.error === undefined ? 'a result' : `error ${JSON.stringify(code)}`;
  return [...hasResponse(response), { expected: `error ${expectedCode}`, actual, exchange }];
}
