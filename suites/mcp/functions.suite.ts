/** mcp.functions.*: the MCP endpoint of a function. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { unknownMethod, unknownMethods } from '../generators/unknown-method.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import { hasResponse, succeeded } from '../kit/mcp/expect.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { argumentsFor } from './tool-arguments.ts';
import { hasTools, listTools } from './tools.ts';
import type { Tool } from './tools.ts';

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
  return inTime.flatMap(({ call, response }) => succeeded(response, `tools/call of ${JSON.stringify(call.name)}`));
}

conforms('mcp.functions.unknown-method', (run) =>
  inSession(run, endpointOf(run), async (session) => {
    run.need(session.started.message?.result, 'a function that initializes');
    let requestCount = 0;
    await run.forAll(
      { method: unknownMethod },
      async ({ method }) => [
        ...unknownMethodMismatches(run.rule.values.jsonRpcCode, await session.request(method)),
        ...unknownMethodMismatches(
          run.rule.values.jsonRpcCode,
          await session.request(method, { name: 'assay', arguments: {} }, `unknown-${(requestCount += 1)}`),
        ),
      ],
      { runs: Math.ceil(run.runs / 5), examples: unknownMethods.map((method) => ({ method })) },
    );
  }),
);

function unknownMethodMismatches(expectedCode: number, response: McpResponse): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return hasResponse(response);
  const code = fieldsOf(message.error)?.['code'];
  if (code === expectedCode && message.result === undefined) return hasResponse(response);
  const actual = message.error === undefined ? 'a result' : `error ${JSON.stringify(code)}`;
  return [...hasResponse(response), { expected: `error ${expectedCode}`, actual, exchange }];
}
