/** Checks that a body that is not JSON is refused, in each era that the server supports. */
import { isDeepStrictEqual } from 'node:util';
import { operation } from '../../spec/operations.ts';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { refusedWith } from '../kit/mcp/expect.ts';
import { modernCodes } from '../kit/mcp/eras.ts';
import { anyResponse, errorCodeIn } from '../kit/mcp/messages.ts';
import { modernHeaders } from '../kit/mcp/modern.ts';
import { withSessions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { isServed, pollUntilTimeout } from '../target/eventually.ts';

const malformed = ['{', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'jsonrpc':'2.0','id':1,'method':'ping'}", 'ping'];

/**
 * The id of the response is null, because nobody can know that of the request (JSON-RPC 2.0 section 5); its era is known by its
 * headers. It is sent in a session, if there are sessions.
 */
export const checkMalformedMessages = (run: Run, endpoint: Endpoint, parseError: number): Promise<void> =>
  withSessions(run, endpoint, async (sessions) => {
    const { surface } = operation(endpoint.post);
    const address = run.need(run.target.addresses[surface], `the address of the ${surface} surface`);
    const media = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const whenServed = pollUntilTimeout(isServed, run.patienceSeconds);
    const send = async (session: Session, body: string): Promise<Mismatch[]> => {
      const path = session.started.exchange.request.url.slice(address.length);
      // A server may check the headers before it reads the body.
      const ofEra = session.isModern ? modernHeaders('server/discover') : {};
      const sendBody = (text: string, headers: HeaderInput) =>
        whenServed(() =>
          run.client.send({ surface, method: 'POST', path, headers: { ...media, ...headers }, body: text }),
        );
      const { exchange } = await session.send(async (own) => ({
        exchange: await sendBody(body, { ...own, ...ofEra }),
      }));
      const found = refusedWith(exchange, anyResponse(exchange.response), parseError, mcpSources.parseError);
      if (!session.isModern || found.length === 0) return found;
      const isOnly = sessions.length === 1;
      if (isAboutHeaders(exchange))
        return isOnly ? run.skipInput('a server that reads the body before the headers') : [];
      // In a body without a version, a server of both eras may see a legacy message that belongs to no session.
      return !isOnly && isRefusedAlike(exchange, await sendBody(LEGACY_PING, {})) ? [] : found;
    };
    await run.forEach(malformed, async (body) =>
      (await Promise.all(sessions.map((session) => send(session, body)))).flat(),
    );
  });

/** The body contains no method and no version, so that those in the headers may be refused. */
const isAboutHeaders = ({ response }: Exchange): boolean =>
  response.status >= 400 && modernCodes.includes(errorCodeIn(response));

const LEGACY_PING = JSON.stringify({ jsonrpc: '2.0', id: 'assay-without-session', method: 'ping' });

/** Both with the same error. */
function isRefusedAlike(one: Exchange, other: Exchange): boolean {
  const [error, otherError] = [one, other].map(({ response }) => anyResponse(response)?.error);
  return error !== undefined && isDeepStrictEqual(error, otherError);
}
