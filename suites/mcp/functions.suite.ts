/** mcp.functions.*: the MCP endpoint of a function. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { citing, conforms } from '../engine/conforms.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import { judgeMalformed, judgesUnknownMethods, judgesVersionHeaders } from './seen-refusals.ts';
import { judgeIncomplete, judgesCalls, judgeToolResult, judgeUnlisted } from './seen-tools.ts';
import { judgesTransport } from './seen-transport.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { withSessions } from '../kit/mcp/session.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { overlapMismatches, slowestCall } from './overlapping-calls.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { argumentsFor } from './tool-arguments.ts';
import { callAll, callsOf, callTool, callUnlistedTool, mayCall, notFailed, toolCall } from './tool-calls.ts';
import type { ToolCall } from './tool-calls.ts';
import { hasTools, listToolsInTime } from './tools.ts';
import type { Tool } from './tools.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

judgesInOrder('mcp.functions.speaks-streamable-http', ['postFunctionMcp', 'getFunctionMcp'], judgesTransport);
judges('mcp.functions.listed-tools-callable', 'postFunctionMcp', judgeToolResult);
judgesInOrder('mcp.functions.unknown-method', 'postFunctionMcp', () =>
  judgesUnknownMethods(requirement('mcp.functions.unknown-method').values.jsonRpcCode),
);
judges('mcp.functions.parse-error', 'postFunctionMcp', (seen) =>
  judgeMalformed(seen, requirement('mcp.functions.parse-error').values.jsonRpcCode),
);
judgesInOrder('mcp.functions.version-header-checked', 'postFunctionMcp', judgesVersionHeaders);
judgesInOrder('mcp.functions.unknown-tool', 'postFunctionMcp', judgesCalls(judgeUnlisted));
judgesInOrder('mcp.functions.tool-inputs-validated', 'postFunctionMcp', judgesCalls(judgeIncomplete));

const endpointOf = (run: Run) => functionEndpoint(run.need(run.target.resources.function, 'a function (MCP server)'));

conforms('mcp.functions.speaks-streamable-http', (run) => checkStreamableHttp(run, endpointOf(run)));

conforms('mcp.functions.listed-tools-callable', (run) =>
  withSessions(run, endpointOf(run), async (sessions) => {
    run.need(sessions.some(hasTools), 'a function that has tools');
    const found: Mismatch[][] = [];
    let callCount = 0;
    for (const [index, session] of sessions.filter(hasTools).entries()) {
      const { tools } = await listToolsInTime(run, session);
      const calls = tools
        .filter((tool) => mayCall(run, tool))
        .flatMap((tool) => callsOf(tool).slice(0, maxCalls(index)));
      callCount += calls.length;
      const called = await callAll(session, calls);
      if (called === undefined) continue;
      const slowest = slowestCall(run, session, called.calls);
      found.push([...called.mismatches, ...(await overlapMismatches(run, endpointOf(run), session, slowest))]);
    }
    run.need(callCount, 'a listed tool that may be called, with arguments that can be made from its input schema');
    run.need(
      found.length,
      'a tool that responds in time, accepts values made from its input schema, and needs nothing that only some clients offer',
    );
    run.check(...found);
  }),
);

/** Tools are called with all their arguments in one era only: each call may cost money. */
const maxCalls = (session: number): number => (session === 0 ? Infinity : 1);

conforms('mcp.functions.unknown-method', (run) =>
  checkUnknownMethods(run, endpointOf(run), run.rule.values.jsonRpcCode),
);

conforms('mcp.functions.parse-error', (run) =>
  checkMalformedMessages(run, endpointOf(run), run.rule.values.jsonRpcCode),
);

conforms('mcp.functions.version-header-checked', (run) =>
  checkVersionHeader(run, endpointOf(run), run.rule.values.status),
);

conforms('mcp.functions.unknown-tool', (run) =>
  withSessions(run, endpointOf(run), async (sessions) => {
    const withTools = sessions.filter(hasTools);
    const [first] = withTools;
    const { tools } = await listToolsInTime(run, run.need(first, 'a function that has tools'));
    const listed = tools.map(({ name }) => name);
    const similar = listed.slice(0, 2).flatMap((name) => [`${name}-assay`, `assay-${name}`]);
    const unlisted = ['assay-unknown', 'constructor', ...similar, 'toString'].filter((each) => !listed.includes(each));
    await run.forEach(unlisted, async (name) => {
      const called = await Promise.all(withTools.map((session) => callUnlistedTool(session, name)));
      return called.flatMap(({ mismatches }) => mismatches);
    });
  }),
);

conforms('mcp.functions.tool-inputs-validated', (run) =>
  withSessions(run, endpointOf(run), async (sessions) => {
    const withTools = sessions.filter(hasTools);
    const [first] = withTools;
    const { tools } = await listToolsInTime(run, run.need(first, 'a function that has tools'));
    const callable = tools.filter((tool) => mayCall(run, tool));
    const calls = callable.flatMap(incompleteCalls);
    run.need(
      callable.some((tool) => requiredArguments(tool).length > 0),
      'a listed tool that may be called and requires an argument',
    );
    run.need(calls.length, 'a listed tool whose required arguments can be made from its input schema');
    await run.forEach(calls, async ({ missing, ...call }) => {
      const responses = await Promise.all(withTools.map((session) => callTool(session, call)));
      return responses.flatMap((response) =>
        citing(mcpSources.toolInputs, notFailed(response, `a call of ${call.name} without ${missing}`)),
      );
    });
  }),
);

/** One with a default may be omitted nevertheless. */
function requiredArguments({ inputSchema }: Tool): string[] {
  const { required, properties } = inputSchema as { readonly required?: unknown; readonly properties?: Fields };
  const hasDefault = (argument: string): boolean => Object.hasOwn(fieldsOf(properties?.[argument]) ?? {}, 'default');
  return Array.isArray(required)
    ? required.filter((each): each is string => typeof each === 'string' && !hasDefault(each))
    : [];
}

/** Otherwise valid calls that lack one required argument. */
function incompleteCalls(tool: Tool): (ToolCall & { readonly missing: string })[] {
  const [valid] = argumentsFor(tool.inputSchema);
  if (valid === undefined) return [];
  const names = requiredArguments(tool).filter((each) => Object.hasOwn(valid, each));
  return names.map((missing) => {
    const given = Object.fromEntries(Object.entries(valid).filter(([each]) => each !== missing));
    return { ...toolCall(tool, given), missing };
  });
}
