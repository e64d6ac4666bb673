/** Rules for the two MCP endpoints. */
import { mcpSources } from './mcp-sources.ts';
import type { Requirement } from './requirement.ts';

/** Of both endpoints. */
const streamableHttpSources = [
  mcpSources.initialize,
  mcpSources.negotiation,
  mcpSources.ping,
  mcpSources.mediaTypes,
  mcpSources.reply,
  mcpSources.sameId,
  mcpSources.version,
  mcpSources.tools,
  mcpSources.pagination,
  mcpSources.accepted,
  mcpSources.notification,
  mcpSources.get,
  mcpSources.endedSession,
  mcpSources.discover,
  mcpSources.resultType,
  mcpSources.cachingHints,
  mcpSources.noServerRequests,
] as const;

/** Of every successful response. */
const responseSources = [
  mcpSources.mediaTypes,
  mcpSources.reply,
  mcpSources.sameId,
  mcpSources.version,
  mcpSources.resultType,
  mcpSources.noServerRequests,
] as const;

const listSources = [mcpSources.tools, mcpSources.pagination, mcpSources.cachingHints] as const;

const unknownMethodSources = [
  mcpSources.unknownMethod,
  mcpSources.errorMessage,
  mcpSources.notAccepted,
  mcpSources.modernUnknownMethod,
  mcpSources.mediaTypes,
  mcpSources.reply,
  mcpSources.sameId,
  mcpSources.version,
] as const;

const versionHeaderSources = [
  mcpSources.versionHeader,
  mcpSources.modernVersion,
  mcpSources.headerMismatch,
  mcpSources.missingHeader,
  mcpSources.headerError,
] as const;

export const mcpRequirements = [
  {
    id: 'mcp.functions.speaks-streamable-http',
    level: 'must',
    since: '0.1.0',
    rule: '/{workspace}/functions/{serverName}/mcp implements streamable HTTP. In versions before 2026-07-28 a client can initialize, list tools and ping, an ended session is unknown, and GET opens an event stream or is refused; in version 2026-07-28 a client can discover the server and list tools. A server supports one of the two, or both; notifications get no reply.',
    sources: [
      { heading: 'Inference endpoints (`{run_url}`)', words: 'MCP messages over the streamable HTTP transport.' },
      ...streamableHttpSources,
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.sandboxes.speaks-streamable-http',
    level: 'must',
    since: '0.1.0',
    rule: "The sandbox's /mcp implements streamable HTTP as functions do, in versions before 2026-07-28, in that version, or in both; a call of an unlisted tool fails, and tools that declare themselves read-only can be called (the latter needs write).",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      ...streamableHttpSources,
      mcpSources.toolErrors,
      mcpSources.toolCall,
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
  },
  {
    id: 'mcp.functions.listed-tools-callable',
    level: 'must',
    since: '0.1.0',
    rule: 'A listed tool with an input schema can be called with arguments that match the schema, without a protocol error; its result has content or structuredContent.',
    sources: [mcpSources.toolResult, mcpSources.toolCall, ...responseSources, ...listSources],
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.unknown-method',
    level: 'must',
    since: '0.1.0',
    rule: 'An unknown method returns the JSON-RPC error -32601 with a message, or an HTTP error without a JSON-RPC message; in version 2026-07-28 the error and 404.',
    sources: unknownMethodSources,
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.sandboxes.unknown-method',
    level: 'must',
    since: '0.1.0',
    rule: "An unknown method returns the JSON-RPC error -32601 with a message, or an HTTP error without a JSON-RPC message, from the sandbox's /mcp as well; in version 2026-07-28 the error and 404.",
    sources: [{ heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' }, ...unknownMethodSources],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.functions.parse-error',
    level: 'must',
    since: '0.1.0',
    rule: 'A body that is not JSON returns an HTTP error or the JSON-RPC error -32700, and no other JSON-RPC response.',
    sources: [
      { heading: 'Inference endpoints (`{run_url}`)', words: 'MCP messages over the streamable HTTP transport.' },
      mcpSources.parseError,
      mcpSources.errorMessage,
      mcpSources.notAccepted,
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32700 },
  },
  {
    id: 'mcp.sandboxes.parse-error',
    level: 'must',
    since: '0.1.0',
    rule: "A body that is not JSON returns an HTTP error or the JSON-RPC error -32700 from the sandbox's /mcp as well.",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      mcpSources.parseError,
      mcpSources.errorMessage,
      mcpSources.notAccepted,
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { jsonRpcCode: -32700 },
  },
  {
    id: 'mcp.functions.version-header-checked',
    level: 'must',
    since: '0.1.0',
    rule: 'If the server chooses protocol version 2025-06-18 or a later one, a request with an invalid MCP-Protocol-Version header returns 400; in version 2026-07-28 with the supported versions, and so does a request whose headers do not match its body.',
    sources: [
      { heading: 'Inference endpoints (`{run_url}`)', words: 'MCP messages over the streamable HTTP transport.' },
      ...versionHeaderSources,
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { status: 400 },
  },
  {
    id: 'mcp.sandboxes.version-header-checked',
    level: 'must',
    since: '0.1.0',
    rule: "If the sandbox's MCP server chooses protocol version 2025-06-18 or a later one, a request with an invalid MCP-Protocol-Version header returns 400; in version 2026-07-28 with the supported versions, and so does a request whose headers do not match its body.",
    sources: [{ heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' }, ...versionHeaderSources],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { status: 400 },
  },
  {
    id: 'mcp.functions.unknown-tool',
    level: 'must',
    since: '0.1.0',
    rule: 'A call of a tool that is not listed returns a JSON-RPC error or a result with isError.',
    sources: [mcpSources.toolErrors, ...responseSources],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.tool-inputs-validated',
    level: 'must',
    since: '0.1.0',
    rule: 'A call of a listed tool without an argument that its input schema requires returns a JSON-RPC error or a result with isError (tools that write are only called with allow: destroy).',
    sources: [mcpSources.toolInputs, ...responseSources],
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.undocumented.session-and-capabilities',
    level: 'observe',
    since: '0.1.0',
    rule: 'Supported versions with and without initialize, the session header, GET and DELETE on the endpoint, and listed capabilities.',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'Message content of the transport: not shown.' }],
    needs: [],
    operations: [
      'postFunctionMcp',
      'getFunctionMcp',
      'deleteFunctionMcp',
      'postSandboxMcp',
      'getSandboxMcp',
      'deleteSandboxMcp',
    ],
  },
] as const satisfies readonly Requirement[];
