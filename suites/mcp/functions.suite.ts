/** mcp.functions.*: the MCP endpoint of a function. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { inSession } from '../kit/mcp/session.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { argumentsFor } from './tool-arguments.ts';
import { callAll, callsOf, mayCall, notFailed, callUnlistedTool } from './tool-calls.ts';
import type { ToolCall } from './tool-calls.ts';
import { hasTools, listTools } from './tools.ts';
import type { Tool } from './tools.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

const endpointOf = (run: Run) => functionEndpoint(run.need(run.target.resources.function, 'a function (MCP server)'));

conforms('mcp.functions.speaks-streamable-http', (run) => checkStreamableHttp(run, endpointOf(run)));

conforms('mcp.functions.listed-tools-callable', async (run) => {
  const found = await inSession(run, endpointOf(run), async (session) => {
    run.need(hasTools(session), 'a function that has tools');
    const { tools } = await listTools(session);
    const calls = tools.filter((tool) => mayCall(run, tool)).flatMap(callsOf);
    run.need(calls.length, 'a listed tool that may be called, with arguments that can be made from its input schema');
    return callAll(session, calls);
  });
  run.check(run.need(found, 'a tool that responds in time'));
});

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
  inSession(run, endpointOf(run), async (session) => {
    run.need(hasTools(session), 'a function that has tools');
    const listed = (await listTools(session)).tools.map(({ name }) => name);
    const similar = listed.slice(0, 2).flatMap((name) => [`${name}-assay`, `assay-${name}`]);
    const unlisted = ['assay-unknown', 'constructor', ...similar, 'toString'].filter((each) => !listed.includes(each));
    await run.forEach(unlisted, async (name) => (await callUnlistedTool(session, name)).mismatches);
  }),
);

conforms('mcp.functions.tool-inputs-validated', (run) =>
  inSession(run, endpointOf(run), async (session) => {
    run.need(hasTools(session), 'a function that has tools');
    const { tools } = await listTools(session);
    const calls = tools.filter((tool) => mayCall(run, tool)).flatMap(incompleteCalls);
    run.need(calls.length, 'a listed tool that may be called and requires an argument');
    await run.forEach(calls, async ({ missing, ...call }) =>
      notFailed(await session.request('tools/call', call), `a call of ${call.name} without ${missing}`),
    );
  }),
);

/** Otherwise valid calls that lack one required argument. One with a default may be omitted nevertheless. */
function incompleteCalls({ name, inputSchema }: Tool): (ToolCall & { readonly missing: string })[] {
  const [valid] = argumentsFor(inputSchema);
  const { required, properties } = inputSchema as { readonly required?: unknown; readonly properties?: Fields };
  if (valid === undefined || !Array.isArray(required)) return [];
  const hasDefault = (argument: string): boolean => Object.hasOwn(fieldsOf(properties?.[argument]) ?? {}, 'default');
  const names = required.filter(
    (each): each is string => typeof each === 'string' && Object.hasOwn(valid, each) && !hasDefault(each),
  );
  return names.map((missing) => {
    const given = Object.fromEntries(Object.entries(valid).filter(([each]) => each !== missing));
    return { name, arguments: given, missing };
  });
}
