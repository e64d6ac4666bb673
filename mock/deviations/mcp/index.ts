/** All deviations of the MCP endpoints. */
import { merged, type Table } from '../table.ts';
import { functionEndpoint, functionsDeviations, mixesUpSessions, routesById } from './functions.ts';
import { changesModern, changesResponse, failure, type Message } from './messages.ts';
import { parseErrorDeviations, streamableHttpDeviations, versionHeaderDeviations } from './streamable-http.ts';

const sandbox = { post: 'postSandboxMcp', get: 'getSandboxMcp', delete: 'deleteSandboxMcp' } as const;

const sandboxesDeviations: Table = { 'mcp.sandboxes.speaks-streamable-http': streamableHttpDeviations(sandbox) };

type Edit = (response: Message, request: Message) => Message;

const ofCalls =
  (edit: Edit): Edit =>
  (response, request) =>
    request.method === 'tools/call' ? edit(response, request) : response;

const succeeds: Edit = ({ id }) => ({ jsonrpc: '2.0', id: id!, result: { resultType: 'complete', content: [] } });
const unknownTool: Edit = ({ id }, { params }) => ({
  jsonrpc: '2.0',
  id: id!,
  error: { code: -32_602, message: `Unknown tool: ${String(params?.['name'])}` },
});

const sandboxToolDeviations: Table = {
  'mcp.sandboxes.speaks-streamable-http': {
    'succeeds for a tool that a sandbox does not have': changesResponse(sandbox, ofCalls(succeeds)),
    'succeeds for a tool that a sandbox does not have in version 2026-07-28': changesModern(sandbox, ofCalls(succeeds)),
    'loses the response to a call of a sandbox if another session sends a request meanwhile': mixesUpSessions(
      sandbox,
      'call',
    ),
    'responds to a request to a sandbox with the result of a simultaneous call': mixesUpSessions(
      sandbox,
      'other request',
    ),
    'exchanges the responses of a sandbox to simultaneous requests of version 2026-07-28 with the same id': routesById(
      sandbox,
      'each other',
    ),
    'loses the response to a call of version 2026-07-28 of a sandbox if another client uses its id meanwhile':
      routesById(sandbox, 'the latest'),
    'does not support the tools that a sandbox lists': changesResponse(sandbox, ofCalls(unknownTool)),
    'does not support the tools that a sandbox lists in version 2026-07-28': changesModern(
      sandbox,
      ofCalls(unknownTool),
    ),
  },
};

const transportDeviations: Table = {
  'mcp.functions.version-header-checked': versionHeaderDeviations(functionEndpoint),
  'mcp.sandboxes.version-header-checked': versionHeaderDeviations(sandbox),
  'mcp.functions.parse-error': parseErrorDeviations(functionEndpoint),
  'mcp.sandboxes.parse-error': parseErrorDeviations(sandbox),
  'mcp.sandboxes.unknown-method': {
    'reports an unknown method of a sandbox as an invalid request': changesResponse(sandbox, (response) =>
      response.error?.code === -32_601 ? failure(response, -32_600) : response,
    ),
    'responds to an unknown method of a sandbox with an empty result': changesResponse(sandbox, (response) =>
      response.error?.code === -32_601 ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
  },
};

export const mcpDeviations: Table = merged(
  functionsDeviations,
  sandboxesDeviations,
  sandboxToolDeviations,
  transportDeviations,
);
