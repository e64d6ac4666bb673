/** Requests of the stateless protocol (MCP 2026-07-28): each carries its version, in headers and in `_meta`. */
import type { Run } from '../../engine/conforms.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import type { MessageId } from './messages.ts';
import { RESPONSE_SECONDS, request } from './post.ts';
import type { McpResponse } from './post.ts';

export const MODERN_VERSION = '2026-07-28';

const PREFIX = 'io.modelcontextprotocol';

export interface ModernInput {
  readonly headers: HeaderInput;
  readonly body: Fields;
}

export interface ModernOptions {
  readonly version?: string;
  /** Further headers that repeat arguments of a tool. */
  readonly mirrored?: HeaderInput;
  /** The name of the client. */
  readonly client?: string;
}

/** Of every request and notification; a call of a tool also has its name. */
export const modernHeaders = (method: string, version: string = MODERN_VERSION): HeaderInput => ({
  'MCP-Protocol-Version': version,
  'Mcp-Method': method,
});

/** A request, or a notification without an id. */
export function modernInput(
  id: MessageId | undefined,
  method: string,
  params: object = {},
  { version = MODERN_VERSION, mirrored = {}, client = 'assay' }: ModernOptions = {},
): ModernInput {
  const { name } = params as { readonly name?: unknown };
  const metadata = {
    [`${PREFIX}/protocolVersion`]: version,
    [`${PREFIX}/clientInfo`]: { name: client, version: '1.0.0' },
    [`${PREFIX}/clientCapabilities`]: {},
  };
  return {
    headers: {
      ...modernHeaders(method, version),
      ...(method === 'tools/call' && typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
      ...mirrored,
    },
    body: { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params: { ...params, _meta: metadata } },
  };
}

export function sendModern(run: Run, endpoint: Endpoint, { headers, body }: ModernInput): Promise<McpResponse> {
  // Tools may be slow.
  const seconds = body['method'] === 'tools/call' ? undefined : RESPONSE_SECONDS;
  return request({ run, endpoint, headers, isStateless: true }, body['id'] as MessageId, body, seconds);
}

/** A value that no header can carry as it is, is encoded (Streamable HTTP, Value Encoding). */
export function headerValue(value: string | number | boolean): string {
  const text = String(value);
  const isPlain = /^[\x21-\x7E]([\t\x20-\x7E]*[\x21-\x7E])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The headers that repeat arguments whose schema has `x-mcp-header` (Custom Headers from Tool Parameters). */
export function mirroredArguments(inputSchema: unknown, given: unknown): Record<string, string> {
  const properties = Object.entries(fieldsOf(fieldsOf(inputSchema)?.['properties']) ?? {});
  return Object.assign(
    {},
    ...properties.map(([name, schema]) => {
      const value = fieldsOf(given)?.[name];
      const header = fieldsOf(schema)?.['x-mcp-header'];
      const isMirrored = typeof header === 'string' && ['string', 'number', 'boolean'].includes(typeof value);
      return {
        ...mirroredArguments(schema, value),
        ...(isMirrored && { [`Mcp-Param-${header}`]: headerValue(value as string | number | boolean) }),
      };
    }),
  ) as Record<string, string>;
}
