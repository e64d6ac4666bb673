/** Checks that a body that is not JSON is refused. */
import { operation } from '../../spec/operations.ts';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import type { Run } from '../engine/conforms.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { refusedWith } from '../kit/mcp/expect.ts';
import { anyResponse } from '../kit/mcp/messages.ts';
import { withSessions } from '../kit/mcp/session.ts';
import { isServed, pollUntilTimeout } from '../target/eventually.ts';

const malformed = ['{', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'jsonrpc':'2.0','id':1,'method':'ping'}", 'ping'];

/**
 * The id of the response is null, because nobody can know that of the request (JSON-RPC 2.0 section 5); nor its era. So it is
 * sent in a session, if there are sessions.
 */
export const checkMalformedMessages = (run: Run, endpoint: Endpoint, parseError: number): Promise<void> =>
  withSessions(run, endpoint, async ([session]) => {
    const { surface } = operation(endpoint.post);
    const address = run.need(run.target.addresses[surface], `the address of the ${surface} surface`);
    const server = run.need(session, 'an MCP server');
    const path = server.started.exchange.request.url.slice(address.length);
    const media = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const whenServed = pollUntilTimeout(isServed, run.patienceSeconds);
    await run.forEach(malformed, async (body) => {
      const { exchange } = await server.send(async (own) => ({
        exchange: await whenServed(() =>
          run.client.send({ surface, method: 'POST', path, headers: { ...media, ...own }, body }),
        ),
      }));
      return refusedWith(exchange, anyResponse(exchange.response), parseError, mcpSources.parseError);
    });
  });
