/** Rules for the two MCP endpoints. */
import type { Requirement } from './requirement.ts';

export const mcpRequirements = [
  {
    id: 'mcp.functions.speaks-streamable-http',
    level: 'must',
    rule: '/{workspace}/functions/{serverName}/mcp implements streamable HTTP: a client can initialize, list tools and ping.',
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.sandboxes.speaks-streamable-http',
    level: 'must',
    rule: "The sandbox's /mcp implements streamable HTTP: a client can initialize, list tools and ping.",
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
  },
  {
    id: 'mcp.functions.listed-tools-callable',
    level: 'must',
    rule: 'A listed tool with an input schema can be called with arguments that match the schema, without a protocol error.',
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.unknown-method',
    level: 'must',
    rule: 'An unknown method returns the JSON-RPC error -32601.',
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.undocumented.session-and-capabilities',
    level: 'observe',
    rule: 'Offered protocol versions, the session header, GET and DELETE on the endpoint, and listed capabilities.',
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
