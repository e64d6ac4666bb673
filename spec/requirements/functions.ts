/** Rules of creating a function (MCP server). */
import type { Requirement } from './requirement.ts';

export const functionsRequirements = [
  {
    id: 'functions.create.with-connection',
    level: 'must',
    rule: "POST /functions with spec.type mcp, spec.runtime.type mcp and the connection's name succeeds (2xx). What the endpoint of a function made so answers with 200 is MCP.",
    needs: ['write', 'connection'],
    operations: ['createFunction', 'postFunctionMcp'],
    values: { type: 'mcp' },
  },
] as const satisfies readonly Requirement[];
