/** Every deliberate fault of the MCP endpoints. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { functionsDeviations } from './functions.ts';
import { speakingFaults } from './speaking.ts';

const sandbox = { post: 'postSandboxMcp', get: 'getSandboxMcp', delete: 'deleteSandboxMcp' } as const;

const sandboxesDeviations: Deviations = Object.fromEntries(
  Object.entries(speakingFaults(sandbox)).map(([variant, fault]) => [
    `mcp.sandboxes.speaks-streamable-http${variant}`,
    fault,
  ]),
);

export const mcpDeviations: Deviations = merged(functionsDeviations, sandboxesDeviations);
