/** Rules for creating functions (MCP servers). */
import type { Requirement } from './requirement.ts';

export const functionsRequirements = [
  {
    id: 'functions.create.with-connection',
    level: 'must',
    since: '0.1.0',
    rule: "POST /functions with spec.type mcp, spec.runtime.type mcp and the name of a connection returns 2xx, and if the new function's endpoint returns 200, the response is MCP.",
    sources: [
      {
        heading: 'Function (MCP server) as used with a connection',
        words:
          '`spec.type` (`mcp`), `spec.integrationConnections` (array of connection names), `spec.runtime.type` (`mcp`)',
      },
    ],
    needs: ['write', 'connection'],
    operations: ['createFunction', 'postFunctionMcp'],
  },
] as const satisfies readonly Requirement[];
