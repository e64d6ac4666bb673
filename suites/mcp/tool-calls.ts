/** Calls of tools: which tools may be called, with which arguments, and what their results contain. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { hasResponse, succeeded } from '../kit/mcp/expect.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import { argumentsFor } from './tool-arguments.ts';
import type { Tool } from './tools.ts';

/** Effects of a tool cannot be undone: tools that write are called only with allow: destroy. */
export const mayCall = ({ target: { allow } }: Run, { onlyReads, needsTask }: Tool): boolean =>
  !needsTask && (onlyReads || allow === 'destroy');

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

export const callsOf = ({ name, inputSchema }: Tool): ToolCall[] =>
  argumentsFor(inputSchema).map((each) => ({ name, arguments: each }));

/** Undefined if no call got a response in time: the duration of a tool is not documented. */
export async function callAll(session: Session, calls: readonly ToolCall[]): Promise<Mismatch[] | undefined> {
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

/** A call of a tool that is not listed must fail. */
export async function callUnlistedTool(
  session: Session,
  name: string,
): Promise<{ readonly response: McpResponse; readonly mismatches: Mismatch[] }> {
  const response = await session.request('tools/call', { name, arguments: {} });
  return { response, mismatches: notFailed(response, `an unlisted tool, ${name}`) };
}

/** A JSON-RPC error or a result with `isError`: MCP describes both, and servers differ. */
export function notFailed(response: McpResponse, what: string): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return exchange.response.status >= 400 ? [] : hasResponse(response);
  const hasFailed = message.error !== undefined || fieldsOf(message.result)?.['isError'] === true;
  return hasFailed ? [] : [{ expected: `an error for ${what}`, actual: 'a result', exchange }];
}

/** Whether the error of a tool is that of an unlisted one, apart from the name of the tool, which both contain. */
export function isUnknownTool(
  response: McpResponse,
  name: string,
  unlisted: { readonly response: McpResponse; readonly name: string },
): boolean {
  const [own, other] = [errorIn(response), errorIn(unlisted.response)];
  return own !== undefined && other?.includes(unlisted.name) === true && own === other.replaceAll(unlisted.name, name);
}

/** As text. Undefined if the call did not fail. */
function errorIn({ message }: McpResponse): string | undefined {
  if (message?.error !== undefined) return JSON.stringify(message.error);
  const result = fieldsOf(message?.result);
  return result?.['isError'] === true ? JSON.stringify(result) : undefined;
}
