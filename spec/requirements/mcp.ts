/** Rules for the two MCP endpoints. */
import type { Requirement } from './requirement.ts';

/** Of both endpoints. */
const streamableHttpSources = [
  {
    standard: 'MCP 2025-11-25',
    section: 'server/utilities/pagination',
    words: 'is an opaque string token, representing a position in the result set',
  },
  {
    standard: 'MCP 2025-11-25',
    section: 'basic/transports',
    words: 'or else return HTTP 405 Method Not Allowed',
  },
  {
    standard: 'JSON-RPC 2.0',
    section: '4.1',
    words: 'The Server MUST NOT reply to a Notification',
  },
] as const;

export const mcpRequirements = [
  {
    id: 'mcp.functions.speaks-streamable-http',
    level: 'must',
    since: '0.1.0',
    rule: '/{workspace}/functions/{serverName}/mcp implements streamable HTTP: a client can initialize, list tools and ping, notifications get no reply, and GET opens an event stream or is refused.',
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
    rule: "The sandbox's /mcp implements streamable HTTP: a client can initialize, list tools and ping, notifications get no reply, GET opens an event stream or is refused, a call of an unlisted tool fails, and tools that declare themselves read-only can be called (the latter needs write).",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      ...streamableHttpSources,
      { standard: 'MCP 2025-11-25', section: 'server/tools', words: 'Standard JSON-RPC errors for issues like' },
      {
        standard: 'MCP 2025-11-25',
        section: 'server/tools',
        words: 'To invoke a tool, clients send a `tools/call` request',
      },
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
  },
  {
    id: 'mcp.functions.listed-tools-callable',
    level: 'must',
    since: '0.1.0',
    rule: 'A listed tool with an input schema can be called with arguments that match the schema, without a protocol error; its result has content or structuredContent.',
    sources: [
      {
        standard: 'MCP 2025-11-25',
        section: 'server/tools',
        words: 'content is returned in the `content` field of a result',
      },
      {
        standard: 'MCP 2025-11-25',
        section: 'server/tools',
        words: 'To invoke a tool, clients send a `tools/call` request',
      },
    ],
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.unknown-method',
    level: 'must',
    since: '0.1.0',
    rule: 'An unknown method returns the JSON-RPC error -32601 with a message.',
    sources: [
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'The method does not exist / is not available.' },
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'A String providing a short description of the error.' },
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.sandboxes.unknown-method',
    level: 'must',
    since: '0.1.0',
    rule: "An unknown method returns the JSON-RPC error -32601 with a message from the sandbox's /mcp as well.",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'The method does not exist / is not available.' },
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'A String providing a short description of the error.' },
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.functions.parse-error',
    level: 'must',
    since: '0.1.0',
    rule: 'A body that is not JSON returns 4xx or the JSON-RPC error -32700, and no other JSON-RPC response.',
    sources: [
      { heading: 'Inference endpoints (`{run_url}`)', words: 'MCP messages over the streamable HTTP transport.' },
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'Invalid JSON was received by the server.' },
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32700 },
  },
  {
    id: 'mcp.sandboxes.parse-error',
    level: 'must',
    since: '0.1.0',
    rule: "A body that is not JSON returns 4xx or the JSON-RPC error -32700 from the sandbox's /mcp as well.",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      { standard: 'JSON-RPC 2.0', section: '5.1', words: 'Invalid JSON was received by the server.' },
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { jsonRpcCode: -32700 },
  },
  {
    id: 'mcp.functions.version-header-checked',
    level: 'must',
    since: '0.1.0',
    rule: 'If the server chooses protocol version 2025-06-18 or a later one, a request with an invalid MCP-Protocol-Version header returns 400.',
    sources: [
      { heading: 'Inference endpoints (`{run_url}`)', words: 'MCP messages over the streamable HTTP transport.' },
      {
        standard: 'MCP 2025-11-25',
        section: 'basic/transports',
        words: 'If the server receives a request with an invalid or unsupported',
      },
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { status: 400 },
  },
  {
    id: 'mcp.sandboxes.version-header-checked',
    level: 'must',
    since: '0.1.0',
    rule: "If the sandbox's MCP server chooses protocol version 2025-06-18 or a later one, a request with an invalid MCP-Protocol-Version header returns 400.",
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'MCP over HTTP.' },
      {
        standard: 'MCP 2025-11-25',
        section: 'basic/transports',
        words: 'If the server receives a request with an invalid or unsupported',
      },
    ],
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
    values: { status: 400 },
  },
  {
    id: 'mcp.functions.unknown-tool',
    level: 'must',
    since: '0.1.0',
    rule: 'A call of a tool that is not listed returns a JSON-RPC error or a result with isError.',
    sources: [
      { standard: 'MCP 2025-11-25', section: 'server/tools', words: 'Standard JSON-RPC errors for issues like' },
    ],
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.tool-inputs-validated',
    level: 'must',
    since: '0.1.0',
    rule: 'A call of a listed tool without an argument that its input schema requires returns a JSON-RPC error or a result with isError (tools that write are only called with allow: destroy).',
    sources: [{ standard: 'MCP 2025-11-25', section: 'server/tools', words: 'Validate all tool inputs' }],
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.undocumented.session-and-capabilities',
    level: 'observe',
    since: '0.1.0',
    rule: 'Offered protocol versions, the session header, GET and DELETE on the endpoint, and listed capabilities.',
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
