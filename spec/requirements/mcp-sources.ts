/** Sentences of MCP and JSON-RPC that the checks of MCP servers cite. */
import type { Source } from './source.ts';

const NEWEST_LEGACY = 'MCP 2025-11-25';
const MODERN = 'MCP 2026-07-28';
const STREAMABLE_HTTP = 'basic/transports/streamable-http';

export const mcpSources = {
  initialize: {
    standard: NEWEST_LEGACY,
    section: 'basic/lifecycle',
    words: 'The server MUST respond with its own capabilities and information',
  },
  negotiation: {
    standard: NEWEST_LEGACY,
    section: 'basic/lifecycle',
    words:
      'If the server supports the requested protocol version, it MUST respond with the same version. Otherwise, the server MUST respond with another protocol version it supports.',
  },
  ping: {
    standard: NEWEST_LEGACY,
    section: 'basic/utilities/ping',
    words: 'The receiver MUST respond promptly with an empty response',
  },
  mediaTypes: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words:
      'If the input is a JSON-RPC request, the server MUST either return Content-Type: text/event-stream, to initiate an SSE stream, or Content-Type: application/json, to return one JSON object.',
  },
  reply: {
    standard: 'JSON-RPC 2.0',
    section: '5',
    words: 'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
  },
  sameId: {
    standard: 'JSON-RPC 2.0',
    section: '5',
    words: 'It MUST be the same as the value of the id member in the Request Object.',
  },
  version: {
    standard: 'JSON-RPC 2.0',
    section: '5',
    words: 'A String specifying the version of the JSON-RPC protocol. MUST be exactly "2.0".',
  },
  tools: {
    standard: NEWEST_LEGACY,
    section: 'server/tools',
    words: 'Each tool is uniquely identified by a name and includes metadata describing its schema.',
  },
  pagination: {
    standard: NEWEST_LEGACY,
    section: 'server/utilities/pagination',
    words: 'is an opaque string token, representing a position in the result set',
  },
  accepted: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words: 'If the server accepts the input, the server MUST return HTTP status code 202 Accepted with no body.',
  },
  notAccepted: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words:
      'If the server cannot accept the input, it MUST return an HTTP error status code (e.g., 400 Bad Request). The HTTP response body MAY comprise a JSON-RPC error response that has no id.',
  },
  notification: {
    standard: 'JSON-RPC 2.0',
    section: '4.1',
    words: 'The Server MUST NOT reply to a Notification',
  },
  get: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words: 'or else return HTTP 405 Method Not Allowed',
  },
  endedSession: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words:
      'The server MAY terminate the session at any time, after which it MUST respond to requests containing that session ID with HTTP 404 Not Found.',
  },
  discover: {
    standard: MODERN,
    section: 'server/discover',
    words: 'Servers MUST implement it.',
  },
  resultType: {
    standard: MODERN,
    section: 'basic',
    words: 'The result MUST include a resultType field to indicate the type of the result.',
  },
  cachingHints: {
    standard: MODERN,
    section: 'server/utilities/caching',
    words:
      'Servers MUST include caching hints on results with resultType: "complete" returned by the following operations',
  },
  noServerRequests: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words: 'The server MUST NOT send independent JSON-RPC requests on this stream.',
  },
  toolResult: {
    standard: NEWEST_LEGACY,
    section: 'server/tools',
    words: 'content is returned in the `content` field of a result',
  },
  toolCall: {
    standard: NEWEST_LEGACY,
    section: 'server/tools',
    words: 'To invoke a tool, clients send a `tools/call` request',
  },
  toolErrors: {
    standard: NEWEST_LEGACY,
    section: 'server/tools',
    words: 'Standard JSON-RPC errors for issues like',
  },
  toolInputs: {
    standard: NEWEST_LEGACY,
    section: 'server/tools',
    words: 'Validate all tool inputs',
  },
  unknownMethod: {
    standard: 'JSON-RPC 2.0',
    section: '5.1',
    words: 'The method does not exist / is not available.',
  },
  errorMessage: {
    standard: 'JSON-RPC 2.0',
    section: '5.1',
    words: 'A String providing a short description of the error.',
  },
  parseError: {
    standard: 'JSON-RPC 2.0',
    section: '5.1',
    words: 'Invalid JSON was received by the server.',
  },
  modernUnknownMethod: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words:
      'If the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601',
  },
  versionHeader: {
    standard: NEWEST_LEGACY,
    section: 'basic/transports',
    words:
      'If the server receives a request with an invalid or unsupported MCP-Protocol-Version, it MUST respond with 400 Bad Request.',
  },
  modernVersion: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words: 'it MUST respond with 400 Bad Request and an UnsupportedProtocolVersionError listing its supported versions',
  },
  headerMismatch: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words:
      'Servers that process the request body MUST reject requests where the values specified in the headers do not match the corresponding values in the request body.',
  },
  missingHeader: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words: 'A required standard header (MCP-Protocol-Version, Mcp-Method, Mcp-Name) is missing.',
  },
  headerError: {
    standard: MODERN,
    section: STREAMABLE_HTTP,
    words:
      'When rejecting a request due to header validation failure, servers MUST return HTTP status 400 Bad Request and MUST include a JSON-RPC error response using the following error code',
  },
} as const satisfies Readonly<Record<string, Source>>;
