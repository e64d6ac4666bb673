/** All deviations of the MCP endpoints. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { functionsDeviations } from './functions.ts';
import { streamableHttpDeviations } from './streamable-http.ts';

const sandbox = { post: 'postSandboxMcp', get: 'getSandboxMcp', delete: 'deleteSandboxMcp' } as const;

const sandboxesDeviations: Deviations = Object.fromEntries(
  Object.entries(streamableHttpDeviations(sandbox)).map(([variant, fault]) => [
    `mcp.sandboxes.speaks-streamable-http${variant}`,
    fault,
  ]),
);

export const mcpDeviations: Deviations = merged(functionsDeviations, sandboxesDeviations);
