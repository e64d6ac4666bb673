/** Messages of the streamable HTTP transport as rules see them in anybody's traffic. */
import { isFields, fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import type { Seen } from '../../judge/seen.ts';
import { findResponse, isEventStream, isRequest, messagesIn } from './messages.ts';
import type { Message, MessageId } from './messages.ts';
import { MODERN_VERSION } from './modern.ts';
import type { McpResponse } from './post.ts';
import { remember } from '../resources/seen-resource.ts';

/** A JSON-RPC request and what was received for it. */
export interface SeenRequest {
  readonly seen: Seen;
  readonly id: MessageId;
  readonly method: string;
  readonly params: Fields;
  readonly response: McpResponse;
  /** Whether its version is 2026-07-28, in the header and in the body. */
  readonly isModern: boolean;
}

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The version in the body of a modern request. */
export const bodyVersionOf = ({ params }: Pick<SeenRequest, 'params'>): unknown =>
  fieldsOf(params['_meta'])?.[PROTOCOL_VERSION];

export const headerVersionOf = (seen: Seen): string | undefined => seen.header('MCP-Protocol-Version');

/** Undefined for a notification, a response, a batch, and what is no message. */
export function seenRequest(seen: Seen): SeenRequest | undefined {
  const { sent, exchange } = seen;
  if (!isFields(sent) || sent['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = sent;
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof method !== 'string') return undefined;
  const messages = messagesOf(seen);
  const message = findResponse(id, messages);
  const known = { params: fieldsOf(params) ?? {} };
  const isModern = headerVersionOf(seen) === MODERN_VERSION && bodyVersionOf(known) === MODERN_VERSION;
  const serverRequest = isModern ? messages.find(isRequest) : undefined;
  const response = { exchange, ...(message && { message }), ...(serverRequest && { serverRequest }) };
  return { seen, id, method, ...known, response, isModern };
}

/** The messages of the response, whatever their ids. */
export function messagesOf(seen: Seen): Message[] {
  const type = seen.responseHeader('content-type');
  return messagesIn({ headers: { ...(type !== undefined && { 'content-type': type }) } }, seen.text);
}

/**
 * Returns a function that says whether the server of a request is known to speak 2026-07-28: one that does not may respond to
 * such requests as its own version requires. Call it with every request, in order.
 */
export function knownModernServers(): (request: SeenRequest) => boolean {
  const known = new Map<string, true>();
  return ({ seen, method, response, isModern }) => {
    const key = endpointKey(seen);
    if (isModern && method === 'server/discover' && fieldsOf(response.message?.result) !== undefined)
      remember(known, key, true);
    return known.has(key);
  };
}

/** Whether the response may arrive elsewhere, or later than the recording or the connection ends. */
export const mayBeIncomplete = ({ response: { exchange, message } }: SeenRequest): boolean =>
  message === undefined && (isEventStream(exchange.response) || exchange.response.isCut === true);

export const hasNotification = ({ sent }: Seen): boolean =>
  isFields(sent) && sent['jsonrpc'] === '2.0' && typeof sent['method'] === 'string' && sent['id'] === undefined;

/** Equal for two exchanges with the same server. */
export const endpointKey = ({ operation: { surface }, path }: Seen): string => JSON.stringify([surface, path]);

/**
 * Equal for two exchanges in the same session, or without a session for the same known caller. Undefined if others may have other
 * tools.
 */
export function sessionKey(seen: Seen): string | undefined {
  const session = seen.header('Mcp-Session-Id');
  if (session === undefined && seen.caller === 'other') return undefined;
  return JSON.stringify([endpointKey(seen), session ?? seen.caller, headerVersionOf(seen) ?? null]);
}
