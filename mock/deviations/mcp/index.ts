/** All deviations of the MCP endpoints. */
import type { Deviation, Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { functionEndpoint, functionsDeviations, mixesUpSessions } from './functions.ts';
import { changesResponse, failure, type Message } from './messages.ts';
import { parseErrorDeviations, streamableHttpDeviations, versionHeaderDeviations } from './streamable-http.ts';
import { deviationsOf } from '../table.ts';

const sandbox = { post: 'postSandboxMcp', get: 'getSandboxMcp', delete: 'deleteSandboxMcp' } as const;

const sandboxesDeviations: Deviations = Object.fromEntries(
  Object.entries(streamableHttpDeviations(sandbox)).map(([variant, fault]) => [
    `mcp.sandboxes.speaks-streamable-http${variant}`,
    fault,
  ]),
);

const callsSandboxTool = (what: string, edit: (response: Message, request: Message) => Message): Deviation =>
  changesResponse(what, sandbox, (response, request) =>
    request.method === 'tools/call' ? edit(response, request) : response,
  );

const sandboxToolDeviations: Deviations = deviationsOf({
  'mcp.sandboxes.speaks-streamable-http': {
    'unknown-tool': callsSandboxTool('Succeeds for a tool that a sandbox does not have', (response) => ({
      jsonrpc: '2.0',
      id: response.id!,
      result: { content: [] },
    })),
    'other-session': mixesUpSessions(
      'Loses the response to a call of a sandbox if another session sends a request meanwhile',
      sandbox,
      'call',
    ),
    'same-id': mixesUpSessions(
      'Responds to a request to a sandbox with the result of a simultaneous call',
      sandbox,
      'other request',
    ),
    'no-tool': callsSandboxTool('Does not support the tools that a sandbox lists', (response, { params }) => ({
      jsonrpc: '2.0',
      id: response.id!,
      error: { code: -32_602, message: `Unknown tool: ${String(params?.['name'])}` },
    })),
  },
});

const transportDeviations: Deviations = deviationsOf({
  'mcp.functions.version-header-checked': versionHeaderDeviations(functionEndpoint),
  'mcp.sandboxes.version-header-checked': versionHeaderDeviations(sandbox),
  'mcp.functions.parse-error': parseErrorDeviations(functionEndpoint),
  'mcp.sandboxes.parse-error': parseErrorDeviations(sandbox),
  'mcp.sandboxes.unknown-method': {
    '': changesResponse('Reports an unknown method of a sandbox as an invalid request', sandbox, (response) =>
      response.error?.code === -32_601 ? failure(response, -32_600) : response,
    ),
    result: changesResponse('Responds to an unknown method of a sandbox with an empty result', sandbox, (response) =>
      response.error?.code === -32_601 ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
  },
});

export const mcpDeviations: Deviations = merged(
  functionsDeviations,
  sandboxesDeviations,
  sandboxToolDeviations,
  transportDeviations,
);
