/** Rules of the two MCP endpoints. */
import type { Requirement } from './requirement.ts';

export const mcpRequirements = [
  {
    id: 'mcp.functions.speaks-streamable-http',
    level: 'must',
    rule: '/{workspace}/functions/{serverName}/mcp speaks streamable HTTP: a client initialises, lists tools and pings.',
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.sandboxes.speaks-streamable-http',
    level: 'must',
    rule: "The sandbox's /mcp does the same.",
    needs: ['sandbox'],
    operations: ['postSandboxMcp', 'getSandboxMcp', 'deleteSandboxMcp'],
  },
  {
    id: 'mcp.functions.listed-tools-callable',
    level: 'must',
    rule: 'A tool that is listed with an input schema can be called with arguments that fit it, without a protocol error.',
    needs: ['function', 'write'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
  },
  {
    id: 'mcp.functions.unknown-method',
    level: 'must',
    rule: 'An unknown method is answered with the JSON-RPC error -32601.',
    needs: ['function'],
    operations: ['postFunctionMcp', 'getFunctionMcp', 'deleteFunctionMcp'],
    values: { jsonRpcCode: -32601 },
  },
  {
    id: 'mcp.undocumented.session-and-capabilities',
    level: 'observe',
    rule: 'Protocol versions offered, session header, GET and DELETE on the endpoint, the capabilities listed.',
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
