/** mcp.*.speaks-streamable-http in anybody's traffic: what one response shows. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { hasResponse, isAccepted, isDiscovered, isInitialized, isModernResult } from '../kit/mcp/expect.ts';
import { isEventStream } from '../kit/mcp/messages.ts';
import {
  hasNotification,
  knownModernServers,
  mayBeIncomplete,
  messagesOf,
  seenRequest,
} from '../kit/mcp/seen-message.ts';
import type { SeenRequest } from '../kit/mcp/seen-message.ts';
import { isSuccess } from '../kit/resources/seen-resource.ts';
import { noEventStream } from './get-stream.ts';
import { pageMismatches } from './tools.ts';

/** A refusal says nothing: it may be about the session, the caller or the version. */
export function judgesTransport(): (seen: Seen) => Judged {
  const isOfModernServer = knownModernServers();
  return (seen) => {
    if (!isSuccess(seen)) return undefined;
    if (seen.exchange.request.method === 'GET') return judgeGet(seen);
    if (seen.exchange.request.method !== 'POST') return undefined;
    if (hasNotification(seen)) return isAccepted(seen.exchange);
    const request = seenRequest(seen);
    if (request === undefined || mayBeIncomplete(request) || hasErrorWithoutId(seen)) return undefined;
    const result = fieldsOf(request.response.message?.result);
    const isModern = isOfModernServer(request);
    return [
      ...hasResponse(request.isModern && isModern ? request.response : withoutServerRequest(request)),
      ...(result === undefined ? noObject(request) : resultMismatches(request, result, isModern)),
    ];
  };
}

/** The result of every method is an object. */
function noObject({ response: { exchange, message } }: SeenRequest): Mismatch[] {
  if (message?.result === undefined) return [];
  return citing(mcpSources.reply, [{ expected: 'result: an object', actual: formatValue(message.result), exchange }]);
}

/** A server that does not understand a request cannot know its id. */
const hasErrorWithoutId = (seen: Seen): boolean =>
  messagesOf(seen).some(({ id, error }) => error !== undefined && isOmitted(id));

/** Earlier versions allow them. */
const withoutServerRequest = ({ response: { exchange, message } }: SeenRequest) => ({
  exchange,
  ...(message && { message }),
});

function judgeGet(seen: Seen): Judged {
  const asksForEvents = seen.header('Accept')?.includes('text/event-stream') === true;
  if (!asksForEvents || seen.responseHeader('content-type') === undefined) return undefined;
  return isEventStream(seen.exchange.response) ? [] : noEventStream(seen.exchange);
}

function resultMismatches(request: SeenRequest, result: Fields, isOfModernServer: boolean): Mismatch[] {
  const { method, isModern, response } = request;
  const { exchange } = response;
  const ofMethod: Readonly<Record<string, () => Mismatch[]>> = {
    initialize: () =>
      citing(mcpSources.initialize, [...isInitialized(result, exchange), ...inventedVersion(request, result)]),
    'server/discover': () => (isModern ? citing(mcpSources.discover, isDiscovered(result, exchange)) : []),
    'tools/list': () => citing(mcpSources.tools, pageMismatches(result, exchange)),
  };
  const own = Object.hasOwn(ofMethod, method) ? ofMethod[method]!() : [];
  return isModern && isOfModernServer ? [...isModernResult(result, exchange, method), ...own] : own;
}

/** MCP has no version before. */
const FIRST_VERSION = '2024-11-05';

function inventedVersion({ params, response }: SeenRequest, { protocolVersion }: Fields): Mismatch[] {
  const isInvented = typeof protocolVersion === 'string' && protocolVersion < FIRST_VERSION;
  if (!isInvented || params['protocolVersion'] !== protocolVersion) return [];
  const expected = 'a protocol version that exists, or an error';
  return citing(mcpSources.negotiation, [{ expected, actual: protocolVersion, exchange: response.exchange }]);
}
