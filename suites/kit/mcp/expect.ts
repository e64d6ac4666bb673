/** Checks the responses of a session (MCP 2025-11-25 and 2026-07-28; JSON-RPC 2.0 section 5). */
import { mcpSources } from '../../../spec/requirements/mcp-sources.ts';
import type { Source } from '../../../spec/requirements/source.ts';
import { formatValue } from '../../expect/format-value.ts';
import { citing, citingInstead } from '../../engine/conforms.ts';
import type { Mismatch } from '../../engine/conforms.ts';
import { fieldsOf, isOmitted } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { isHttpError, status } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import { isStarted, legacyVersions } from './eras.ts';
import type { Eras } from './eras.ts';
import { isEventStream, isJsonResponse, messagesIn } from './messages.ts';
import type { Message } from './messages.ts';
import { MODERN_VERSION } from './modern.ts';
import type { McpResponse } from './post.ts';
import type { Session } from './session.ts';

function is(exchange: Exchange, name: string, value: unknown, holds: boolean, expected: string): Mismatch[] {
  return holds ? [] : [{ expected: `${name}: ${expected}`, actual: `${name}: ${formatValue(value)}`, exchange }];
}

/** The response has the id of the request and one of the two media types. */
export function hasResponse({ exchange, message, serverRequest }: McpResponse): Mismatch[] {
  const { status: code, headers } = exchange.response;
  const type = headers['content-type'] ?? 'no Content-Type';
  if (message === undefined) {
    const expected = 'a response with the id of the request';
    const actual = `${otherMessage(exchange) ?? 'none'} in status ${code}, ${type}`;
    return citing(missingSource(exchange), [{ expected, actual, exchange }]);
  }
  const method = serverRequest?.method;
  return [
    ...citing(mcpSources.version, is(exchange, 'jsonrpc', message.jsonrpc, message.jsonrpc === '2.0', '"2.0"')),
    ...citing(
      mcpSources.noServerRequests,
      is(exchange, 'requests on the stream', method, serverRequest === undefined, 'none'),
    ),
  ];
}

/** What was received instead of a response with the id of the request. Undefined if there was no message. */
export function otherMessage({ response }: Exchange): string | undefined {
  const messages = messagesIn(response, response.text);
  const responses = messages.filter(({ method }) => method === undefined);
  const [message] = [...responses.filter(({ id }) => !isOmitted(id)), ...responses, ...messages];
  if (message === undefined) return undefined;
  const { id, method, error } = message;
  if (method !== undefined) return `only a message of the server, ${formatValue(method)},`;
  const kind = error === undefined ? 'a response' : `error ${formatValue(error, 200)}`;
  return `${kind} ${isOmitted(id) ? 'without an id' : `with the id ${formatValue(id)}`}`;
}

/** There is a response with another id, or none, or another media type. */
function missingSource({ response }: Exchange): Source {
  if (messagesIn(response, response.text).some(({ method }) => method === undefined)) return mcpSources.sameId;
  return isJsonResponse(response) || isEventStream(response) ? mcpSources.reply : mcpSources.mediaTypes;
}

/** The result of a method, and the source that requires it. */
export interface ExpectedResult {
  readonly of: string;
  readonly source: Source;
  /** Checks the result, if it is complete. */
  readonly also?: (result: Fields, exchange: Exchange) => Mismatch[];
}

/** Expects a result and no error. */
export function succeeded(
  session: Pick<Session, 'isModern'>,
  response: McpResponse,
  expected: ExpectedResult,
): Mismatch[] {
  const { of: what, source, also = () => [] } = expected;
  const { exchange, message } = response;
  if (message === undefined) return hasResponse(response);
  const result = fieldsOf(message.result);
  if (result === undefined || message.error !== undefined)
    return citing(source, [{ expected: `a result of ${what}`, actual: outcomeOf(message), exchange }]);
  return [
    ...hasResponse(response),
    ...(session.isModern ? isModernResult(result, exchange, what) : []),
    ...(isIncomplete(session, result) ? [] : citing(source, also(result, exchange))),
  ];
}

/** Asks for further input, which a client need not give (MCP 2026-07-28, Multi Round-Trip Requests). */
const isIncomplete = ({ isModern }: Pick<Session, 'isModern'>, { resultType }: Fields): boolean =>
  isModern && resultType === 'input_required';

/** Methods whose results a client may cache (MCP 2026-07-28, Caching). */
const cacheable: readonly string[] = ['server/discover', 'tools/list'];

export function isModernResult(
  { resultType, ttlMs, cacheScope }: Fields,
  exchange: Exchange,
  what: string,
): Mismatch[] {
  const isCacheable = cacheable.includes(what);
  const types = isCacheable ? ['complete'] : ['complete', 'input_required'];
  const isType = types.some((type) => type === resultType);
  const expected = types.map((type) => JSON.stringify(type)).join(' or ');
  const hints = [
    ...is(exchange, 'ttlMs', ttlMs, typeof ttlMs === 'number' && ttlMs >= 0, 'a number of at least 0'),
    ...is(exchange, 'cacheScope', cacheScope, ['public', 'private'].includes(String(cacheScope)), 'public or private'),
  ];
  return [
    ...citing(mcpSources.resultType, is(exchange, 'resultType', resultType, isType, expected)),
    ...(isCacheable ? citing(mcpSources.cachingHints, hints) : []),
  ];
}

const outcomeOf = ({ error, result }: Message): string =>
  error === undefined ? `result: ${formatValue(result)}` : `error: ${formatValue(error)}`;

const initialization: ExpectedResult = { of: 'initialize', source: mcpSources.initialize, also: isInitialized };

/** `initialize` and `notifications/initialized` have the responses that the MCP lifecycle requires. */
export function startMismatches(session: Session): Mismatch[] {
  const { started: begun, accepted } = session;
  return [...succeeded(session, begun, initialization), ...(accepted === undefined ? [] : isAccepted(accepted))];
}

/** A server that begins neither way: `initialize` is the counterexample. */
export function unsupportedMismatches({ initialized }: Eras): Mismatch[] {
  const [offered] = legacyVersions;
  const { exchange, message } = initialized;
  return citing(mcpSources.initialize, [
    {
      expected: `a result of initialize (version ${offered}) or of server/discover (version ${MODERN_VERSION})`,
      actual: message === undefined ? `status ${exchange.response.status}` : outcomeOf(message),
      exchange,
    },
  ]);
}

/** `server/discover` of a server that accepts its version. */
export const discoverMismatches = (discovered: McpResponse): Mismatch[] =>
  isStarted(discovered) || discovered.message !== undefined
    ? succeeded({ isModern: true }, discovered, discovery)
    : citingInstead(mcpSources.discover, hasResponse(discovered));

const discovery: ExpectedResult = { of: 'server/discover', source: mcpSources.discover, also: isDiscovered };

export function isDiscovered({ supportedVersions, capabilities }: Fields, exchange: Exchange): Mismatch[] {
  const lists = Array.isArray(supportedVersions) && supportedVersions.includes(MODERN_VERSION);
  return [
    ...is(exchange, 'supportedVersions', supportedVersions, lists, `a list with ${MODERN_VERSION}`),
    ...is(exchange, 'capabilities', capabilities, fieldsOf(capabilities) !== undefined, 'an object'),
  ];
}

/** 202 without a body. */
export function isAccepted(exchange: Exchange): Mismatch[] {
  const { text } = exchange.response;
  return citing(mcpSources.accepted, [
    ...status(exchange, 202),
    ...is(exchange, 'the body', text, text.trim() === '', 'empty'),
  ]);
}

export function isInitialized({ protocolVersion, capabilities, serverInfo }: Fields, exchange: Exchange): Mismatch[] {
  const { name, version } = fieldsOf(serverInfo) ?? {};
  const isVersion = typeof protocolVersion === 'string' && /^(\d{4}-\d\d-\d\d$|DRAFT)/.test(protocolVersion);
  return [
    ...is(exchange, 'protocolVersion', protocolVersion, isVersion, 'a date (MCP 2025-11-25, Versioning)'),
    ...is(exchange, 'capabilities', capabilities, fieldsOf(capabilities) !== undefined, 'an object'),
    ...is(exchange, 'serverInfo.name', name, typeof name === 'string', 'a string'),
    ...is(exchange, 'serverInfo.version', version, typeof version === 'string', 'a string'),
  ];
}

/**
 * What the transport cannot accept is refused: with an HTTP error, whose body may be a JSON-RPC error, or with that error
 * alone (MCP 2025-11-25, Sending Messages to the Server). `message`: the JSON-RPC message of the response, if there is one.
 */
export function refusedWith(
  exchange: Exchange,
  message: Message | undefined,
  code: number,
  source: Source,
): Mismatch[] {
  const { status: sent } = exchange.response;
  if (message === undefined && isHttpError(exchange)) return [];
  const { code: actual, message: text } = fieldsOf(message?.error) ?? {};
  if (actual === code && message?.result === undefined)
    return citing(mcpSources.errorMessage, is(exchange, 'error.message', text, typeof text === 'string', 'a string'));
  const outcome = message?.error === undefined ? `no error in status ${sent}` : `error ${JSON.stringify(actual)}`;
  const expected = message === undefined ? `error ${code}, or status 4xx or 5xx` : `error ${code}`;
  return citing(source, [{ expected, actual: outcome, exchange }]);
}
