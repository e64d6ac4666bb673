/** The MCP endpoint of a sandbox. */
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import { allOf, judges, judgesInOrder } from '../judge/judgement.ts';
import { judgeMalformed, judgesUnknownMethods, judgesVersionHeaders } from './seen-refusals.ts';
import { judgesCalls, judgeUnlisted } from './seen-tools.ts';
import { judgesTransport } from './seen-transport.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { sandboxToolMismatches } from './sandbox-tools.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

judgesInOrder(
  'mcp.sandboxes.speaks-streamable-http',
  ['postSandboxMcp', 'getSandboxMcp'],
  allOf(judgesTransport, judgesCalls(judgeUnlisted)),
);
judgesInOrder('mcp.sandboxes.unknown-method', 'postSandboxMcp', () =>
  judgesUnknownMethods(requirement('mcp.sandboxes.unknown-method').values.jsonRpcCode),
);
judges('mcp.sandboxes.parse-error', 'postSandboxMcp', (seen) =>
  judgeMalformed(seen, requirement('mcp.sandboxes.parse-error').values.jsonRpcCode),
);
judgesInOrder('mcp.sandboxes.version-header-checked', 'postSandboxMcp', judgesVersionHeaders);

conforms('mcp.sandboxes.speaks-streamable-http', (run) =>
  checkStreamableHttp(run, sandboxEndpoint, { tools: () => sandboxToolMismatches(run) }),
);

conforms('mcp.sandboxes.unknown-method', (run) =>
  checkUnknownMethods(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.parse-error', (run) =>
  checkMalformedMessages(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.version-header-checked', (run) =>
  checkVersionHeader(run, sandboxEndpoint, run.rule.values.status),
);
