/** Checks the responses of a session (MCP 2025-11-25; JSON-RPC 2.0 section 5). */
import { formatValue } from '../../expect/format-value.ts';
import type { Mismatch } from '../../engine/conforms.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { status } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { Message } from './messages.ts';
import type { McpResponse } from './post.ts';
import type { Session } from './session.ts';

function is(exchange: Exchange, name: string, value: unknown, holds: boolean, expected: string): Mismatch[] {
  return holds ? [] : [{ expected: `${name}: ${expected}`, actual: `${name}: ${formatValue(value)}`, exchange }];
}

/** The response has the id of the request and one of the two media types. */
export function hasResponse({ exchange, message }: McpResponse): Mismatch[] {
  const { status: code, headers } = exchange.response;
  const type = headers['content-type'] ?? 'no Content-Type';
  if (message === undefined)
    return [{ expected: 'a response with the id of the request', actual: `none in status ${code}, ${type}`, exchange }];
  return is(exchange, 'jsonrpc', message.jsonrpc, message.jsonrpc === '2.0', '"2.0"');
}

/** Expects a result and no error. `also` checks the result. */
export function succeeded(
  response: McpResponse,
  what: string,
  also: (result: Fields, exchange: Exchange) => Mismatch[] = () => [],
): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return hasResponse(response);
  const result = fieldsOf(message.result);
  if (result === undefined || message.error !== undefined)
    return [{ expected: `a result of ${what}`, actual: outcomeOf(message), exchange }];
  return [...hasResponse(response), ...also(result, exchange)];
}

const outcomeOf = ({ error, result }: Message): string =>
  error === undefined ? `result: ${formatValue(result)}` : `error: ${formatValue(error)}`;

/** `initialize` and `notifications/initialized` have the responses that the MCP lifecycle requires. */
export function startMismatches({ started: begun, accepted }: Session): Mismatch[] {
  return [...succeeded(begun, 'initialize', isInitialized), ...(accepted === undefined ? [] : isAccepted(accepted))];
}

/** 202 without a body (MCP 2025-11-25, Transports). */
export function isAccepted(exchange: Exchange): Mismatch[] {
  const { text } = exchange.response;
  return [...status(exchange, 202), ...is(exchange, 'the body', text, text.trim() === '', 'empty')];
}

function isInitialized({ protocolVersion, capabilities, serverInfo }: Fields, exchange: Exchange): Mismatch[] {
  const { name, version } = fieldsOf(serverInfo) ?? {};
  const isVersion = typeof protocolVersion === 'string' && /^(\d{4}-\d\d-\d\d$|DRAFT)/.test(protocolVersion);
  return [
    ...is(exchange, 'protocolVersion', protocolVersion, isVersion, 'a date (MCP 2025-11-25, Versioning)'),
    ...is(exchange, 'capabilities', capabilities, fieldsOf(capabilities) !== undefined, 'an object'),
    ...is(exchange, 'serverInfo.name', name, typeof name === 'string', 'a string'),
    ...is(exchange, 'serverInfo.version', version, typeof version === 'string', 'a string'),
  ];
}
