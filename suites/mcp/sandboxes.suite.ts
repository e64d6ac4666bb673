/** The MCP endpoint of a sandbox. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import { allOf, judges, judgesInOrder } from '../judge/judgement.ts';
import { judgeMalformed, judgesUnknownMethods, judgesVersionHeaders } from './seen-refusals.ts';
import { judgesCalls, judgeUnlisted } from './seen-tools.ts';
import { judgesTransport } from './seen-transport.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { withSessions } from '../kit/mcp/session.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { overlapMismatches, slowestCall } from './overlapping-calls.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { callsOf, callTool, callUnlistedTool, isUnknownTool } from './tool-calls.ts';
import type { CalledTool } from './tool-calls.ts';
import { hasTools, listTools, UNLISTED_TOOL } from './tools.ts';
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
  checkStreamableHttp(run, sandboxEndpoint, { tools: () => toolMismatches(run) }),
);

const MAX_CALLED_TOOLS = 2;

/** Calls an unlisted tool and, in runs that may write, the first tools that only read: these must not be unknown. */
const toolMismatches = (run: Run): Promise<Mismatch[]> =>
  withSessions(run, sandboxEndpoint, async (sessions) => {
    const withTools = sessions.filter(hasTools);
    const [session] = withTools;
    if (session === undefined) return [];
    const { tools } = await listTools(session);
    const callable = tools.filter(({ onlyReads, needsTask }) => onlyReads && !needsTask && run.target.allow !== 'read');
    const calls = callable.flatMap((tool) => callsOf(tool).slice(0, 1)).slice(0, MAX_CALLED_TOOLS);
    const { response: unlisted, mismatches } = await callUnlistedTool(session, UNLISTED_TOOL);
    const called: CalledTool[] = [];
    for (const call of calls) {
      const response = await callTool(session, call);
      called.push({ call, response });
      // Otherwise it may fail: the arguments need not make sense to the tool.
      if (isUnknownTool(response, call.name, { response: unlisted, name: UNLISTED_TOOL }))
        mismatches.push({
          expected: `a call of the listed tool ${JSON.stringify(call.name)}`,
          actual: `the error of an unlisted tool: ${formatValue(response.message?.error ?? response.message?.result)}`,
          exchange: response.exchange,
          source: mcpSources.toolCall,
        });
    }
    const slowest = slowestCall(session, called);
    for (const each of withTools) mismatches.push(...(await overlapMismatches(run, sandboxEndpoint, each, slowest)));
    return mismatches;
  });

conforms('mcp.sandboxes.unknown-method', (run) =>
  checkUnknownMethods(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.parse-error', (run) =>
  checkMalformedMessages(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.version-header-checked', (run) =>
  checkVersionHeader(run, sandboxEndpoint, run.rule.values.status),
);
