/** Checks that a body that is not JSON is refused. */
import { operation } from '../../spec/operations.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { statusClass } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { messagesIn } from '../kit/mcp/messages.ts';
import { inSession, sessionHeaders } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

const malformed = ['{', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'jsonrpc':'2.0','id':1,'method':'ping'}", 'ping'];

export const checkMalformedMessages = (run: Run, endpoint: Endpoint, parseError: number): Promise<void> =>
  inSession(run, endpoint, async (session) => {
    const { started } = session;
    run.need(started.message?.result, 'an MCP server that initializes');
    const { surface } = operation(endpoint.post);
    const address = run.need(run.target.addresses[surface], `the address of the ${surface} surface`);
    const path = started.exchange.request.url.slice(address.length);
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...sessionHeaders(session),
    };
    const send = async (body: string) =>
      notRefused(await run.client.send({ surface, method: 'POST', path, headers, body }), parseError);
    await run.forEach(malformed, send);
  });

/** A 4xx, or a JSON-RPC error. The body of a 4xx need not be a JSON-RPC message (MCP 2025-11-25, Transports). */
function notRefused(exchange: Exchange, parseError: number): Mismatch[] {
  const [message] = messagesIn(exchange.response, exchange.response.text);
  const code = fieldsOf(message?.error)?.['code'];
  if (!isSuccessful(exchange) && message?.jsonrpc === undefined) return statusClass(exchange, '4xx');
  if (code === parseError) return [];
  const actual = code === undefined ? 'no error' : `error ${JSON.stringify(code)}`;
  return [{ expected: `error ${parseError}`, actual, exchange }];
}
