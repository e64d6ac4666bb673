/** Checks that unknown methods return the JSON-RPC error for them. */
import * as fc from 'fast-check';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citingInstead } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isHttpError, status } from '../expect/status.ts';
import { unknownMethod, unknownMethods } from '../generators/unknown-method.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { hasResponse, refusedWith } from '../kit/mcp/expect.ts';
import { anyResponse } from '../kit/mcp/messages.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { withSessions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';

export const checkUnknownMethods = (run: Run, endpoint: Endpoint, expectedCode: number): Promise<void> =>
  withSessions(run, endpoint, async (sessions) => {
    let requestCount = 0;
    const request = (session: Session, method: string, hasParams: boolean): Promise<McpResponse> =>
      hasParams
        ? session.request(method, { name: 'assay', arguments: {} }, `unknown-${(requestCount += 1)}`)
        : session.request(method);
    await run.forAll(
      { method: unknownMethod, hasParams: fc.boolean() },
      async ({ method, hasParams }) => {
        const found = sessions.map(async (session) => {
          const response = await request(session, method, hasParams);
          return session.isModern
            ? [...isNotFound(response), ...hasError(response, expectedCode)]
            : hasError(response, expectedCode);
        });
        return (await Promise.all(found)).flat();
      },
      {
        examples: unknownMethods.map((method, index) => ({ method, hasParams: index % 2 === 1 })),
      },
    );
  });

/** An error that belongs to a request has its id; an HTTP error may have none. */
function hasError(response: McpResponse, expectedCode: number): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined && !isHttpError(exchange)) return hasResponse(response);
  const refusal = message ?? anyResponse(exchange.response);
  const found = refusedWith(exchange, refusal, expectedCode, mcpSources.unknownMethod);
  return message === undefined ? found : [...hasResponse(response), ...found];
}

/** Version 2026-07-28 requires both the status and the error. */
const isNotFound = (response: McpResponse): Mismatch[] =>
  citingInstead(mcpSources.modernUnknownMethod, [...status(response.exchange, 404), ...hasResponse(response)]);
