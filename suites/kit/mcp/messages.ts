/** JSON-RPC 2.0 messages in a response of the streamable HTTP transport. */
import { fieldsOf } from '../../json/fields.ts';
import { serverEventsIn } from './server-events.ts';

export type MessageId = string | number;

/** Any object that the server has sent. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Head {
  readonly headers: Readonly<Record<string, string>>;
}

export const isEventStream = ({ headers }: Head): boolean => /^text\/event-stream\s*(;|$)/i.test(typeOf(headers));
export const isJsonResponse = ({ headers }: Head): boolean => /^application\/json\s*(;|$)/i.test(typeOf(headers));

const typeOf = (headers: Head['headers']): string => headers['content-type'] ?? '';

/** The complete messages, in order. Empty for another media type. An array of messages counts as its elements. */
export function messagesIn(head: Head, text: string): Message[] {
  if (isJsonResponse(head)) return messagesOf(text);
  return isEventStream(head) ? serverEventsIn(text).events.flatMap(({ data }) => messagesOf(data)) : [];
}

function messagesOf(json: string): Message[] {
  try {
    const parsed = [JSON.parse(json) as unknown].flat();
    return parsed.filter((each): each is Message => typeof each === 'object' && each !== null);
  } catch {
    return []; // Not JSON, or not complete yet.
  }
}

/** The response to the request of that id. 1 and "1" are different ids. */
export function findResponse(id: MessageId, messages: readonly Message[]): Message | undefined {
  return messages.find((message) => message.id === id && message.method === undefined);
}

/** The first JSON-RPC response, whatever its id. */
export const anyResponse = ({ headers, text }: Head & { readonly text: string }): Message | undefined =>
  messagesIn({ headers }, text).find(({ jsonrpc, method }) => jsonrpc === '2.0' && method === undefined);

/** The code of a JSON-RPC error, whatever its id. */
export const errorCodeIn = (response: Head & { readonly text: string }): unknown =>
  fieldsOf(anyResponse(response)?.error)?.['code'];

/** Reserved for errors of servers (JSON-RPC 2.0 section 5.1). MCP uses some for headers, versions and sessions. */
export const isServerError = (code: unknown): boolean => typeof code === 'number' && code <= -32_000 && code >= -32_099;

/** A request of the server, which expects a response. */
export const isRequest = ({ method, id }: Message): boolean => typeof method === 'string' && id !== undefined;
