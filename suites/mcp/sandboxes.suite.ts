/** The MCP endpoint of a sandbox. */
import { conforms } from '../engine/conforms.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

conforms('mcp.sandboxes.speaks-streamable-http', (run) => checkStreamableHttp(run, sandboxEndpoint));

conforms('mcp.sandboxes.unknown-method', (run) =>
  checkUnknownMethods(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.parse-error', (run) =>
  checkMalformedMessages(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.version-header-checked', (run) =>
  checkVersionHeader(run, sandboxEndpoint, run.rule.values.status),
);
