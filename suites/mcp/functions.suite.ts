/** The MCP endpoint of a function: that it speaks, that its tools can be called, and how it refuses what it does not know. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { unknownMethod, unknownMethods } from '../generators/unknown-method.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import { answered, succeeded } from '../kit/mcp/expect.ts';
import type { Answered } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { checkSpeaks } from './speaks.ts';
import { argumentsFor } from './tool-arguments.ts';
import { hasTools, listTools } from './tools.ts';
import type { Tool } from './tools.ts';

const endpointOf = (run: Run) => functionEndpoint(run.need(run.target.resources.function, 'a function (MCP server)'));

conforms('mcp.functions.speaks-streamable-http', (run) => checkSpeaks(run, endpointOf(run)));

conforms('mcp.functions.listed-tools-callable', async (run) => {
  const found = await inSession(run, endpointOf(run), async (session) => {
    run.need(hasTools(session), 'a function that has tools');
    const { tools } = await listTools(session);
    const calls = tools.filter((tool) => mayCall(run, tool)).flatMap(callsOf);
    run.need(calls.length, 'a listed tool that may be called, with arguments that can be made from its input schema');
    return tryAll(session, calls);
  });
  run.check(run.need(found, 'a tool that answers in time'));
});

/** What a tool changes cannot be put back: such a one is called only where the run may remove what it did not create. */
const mayCall = ({ target: { allow } }: Run, { onlyReads, needsTask }: Tool): boolean =>
  !needsTask && (onlyReads || allow === 'destroy');

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

const callsOf = ({ name, inputSchema }: Tool): ToolCall[] =>
  argumentsFor(inputSchema).map((each) => ({ name, arguments: each }));

/** Undefined where no call was answered: how long a tool takes is its own affair. */
async function tryAll(session: Session, calls: readonly ToolCall[]): Promise<Mismatch[] | undefined> {
  const answers: { call: ToolCall; answer: Answered }[] = [];
  for (const call of calls) answers.push({ call, answer: await session.request('tools/call', call) });
  const inTime = answers.filter(
    ({ answer: { exchange, message } }) => message !== undefined || exchange.answer.status >= 400,
  );
  if (inTime.length === 0) return undefined;
  return inTime.flatMap(({ call, answer }) => succeeded(answer, `tools/call of ${JSON.stringify(call.name)}`));
}

conforms('mcp.functions.unknown-method', (run) =>
  inSession(run, endpointOf(run), async (session) => {
    run.need(session.begun.message?.result, 'a function that initialises');
    let asked = 0;
    await run.forAll(
      { method: unknownMethod },
      async ({ method }) => [
        ...isUnknown(run.rule.values.jsonRpcCode, await session.request(method)),
        ...isUnknown(
          run.rule.values.jsonRpcCode,
          await session.request(method, { name: 'assay', arguments: {} }, `unknown-${(asked += 1)}`),
        ),
      ],
      { runs: Math.ceil(run.runs / 5), examples: unknownMethods.map((method) => ({ method })) },
    );
  }),
);

function isUnknown(wanted: number, answer: Answered): Mismatch[] {
  const { exchange, message } = answer;
  if (message === undefined) return answered(answer);
  const code = fieldsOf(message.error)?.['code'];
  if (code === wanted && message.result === undefined) return answered(answer);
  const actual = message.error === undefined ? 'a result' : `error ${JSON.stringify(code)}`;
  return [...answered(answer), { expected: `error ${wanted}`, actual, exchange }];
}
