/** mcp.functions.*: the MCP endpoint of a function. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { hasResponse, succeeded } from '../kit/mcp/expect.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { argumentsFor } from './tool-arguments.ts';
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

/** Effects of a tool cannot be undone: tools that write are called only with allow: destroy. */
const mayCall = ({ target: { allow } }: Run, { onlyReads, needsTask }: Tool): boolean =>
  !needsTask && (onlyReads || allow === 'destroy');

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

const callsOf = ({ name, inputSchema }: Tool): ToolCall[] =>
  argumentsFor(inputSchema).map((each) => ({ name, arguments: each }));

/** Undefined if no call got a response in time: the duration of a tool is not documented. */
async function callAll(session: Session, calls: readonly ToolCall[]): Promise<Mismatch[] | undefined> {
  const calledTools: { call: ToolCall; response: McpResponse }[] = [];
  for (const call of calls) calledTools.push({ call, response: await session.request('tools/call', call) });
  const inTime = calledTools.filter(
    ({ response: { exchange, message } }) => message !== undefined || exchange.response.status >= 400,
  );
  if (inTime.length === 0) return undefined;
  return inTime.flatMap(({ call, response }) =>
    succeeded(response, `tools/call of ${JSON.stringify(call.name)}`, hasContent),
  );
}

/** A list of parts that have a type; text has its string (MCP 2025-11-25, Tool Result). May be absent next to structured content. */
function hasContent({ content, structuredContent }: Fields, exchange: Exchange): Mismatch[] {
  if (content === undefined && isFields(structuredContent)) return [];
  if (!Array.isArray(content)) return [{ expected: 'content: a list', actual: formatValue(content), exchange }];
  return content
    .filter((part) => {
      const { type, text } = fieldsOf(part) ?? {};
      return typeof type !== 'string' || (type === 'text' && typeof text !== 'string');
    })
    .map((part) => ({
      expected: 'content with a type, and text as a string',
      actual: formatValue(part, 200),
      exchange,
    }));
}

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
    await run.forEach(unlisted, async (name) =>
      notFailed(await session.request('tools/call', { name, arguments: {} }), `an unlisted tool, ${name}`),
    );
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

/** A JSON-RPC error or a result with `isError`: MCP describes both, and servers differ. */
function notFailed(response: McpResponse, what: string): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return exchange.response.status >= 400 ? [] : hasResponse(response);
  const hasFailed = message.error !== undefined || fieldsOf(message.result)?.['isError'] === true;
  return hasFailed ? [] : [{ expected: `an error for ${what}`, actual: 'a result', exchange }];
}
