/** Calls of tools: which tools may be called, with which arguments, and what their results contain. */
import { setTimeout as wait } from 'node:timers/promises';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { hasResponse, succeeded } from '../kit/mcp/expect.ts';
import type { ExpectedResult } from '../kit/mcp/expect.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { mirroredArguments } from '../kit/mcp/modern.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { argumentsFor } from './tool-arguments.ts';
import type { Tool } from './tools.ts';

/** Effects of a tool cannot be undone: tools that write are called only with allow: destroy. */
export const mayCall = ({ target: { allow } }: Run, { onlyReads, needsTask }: Tool): boolean =>
  !needsTask && (onlyReads || allow === 'destroy');

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
  /** The headers that repeat arguments. */
  readonly mirrored: HeaderInput;
}

export const toolCall = ({ name, inputSchema }: Tool, given: object): ToolCall => ({
  name,
  arguments: given,
  mirrored: mirroredArguments(inputSchema, given),
});

export const callsOf = (tool: Tool): ToolCall[] => argumentsFor(tool.inputSchema).map((each) => toolCall(tool, each));

export const callTool = (session: Session, { mirrored, ...params }: ToolCall, id?: MessageId): Promise<McpResponse> =>
  session.request('tools/call', params, id, mirrored);

export interface Called {
  readonly mismatches: readonly Mismatch[];
  /** The call that took longest, of those that succeeded. */
  readonly slowest?: { readonly call: ToolCall; readonly durationMs: number };
}

/** Undefined if no call got a response in time: the duration of a tool is not documented. */
export async function callAll(session: Session, calls: readonly ToolCall[]): Promise<Called | undefined> {
  const calledTools: { call: ToolCall; response: McpResponse }[] = [];
  for (const call of calls) calledTools.push({ call, response: await callTool(session, call) });
  const inTime = calledTools
    .filter(({ response: { exchange, message } }) => message !== undefined || exchange.response.status >= 400)
    .map(({ call, response }) => ({
      call,
      durationMs: response.exchange.durationMs,
      mismatches: callMismatches(session, call, response),
    }));
  if (inTime.length === 0) return undefined;
  const [slowest] = inTime
    .filter(({ mismatches }) => mismatches.length === 0)
    .toSorted((one, other) => other.durationMs - one.durationMs);
  return { mismatches: inTime.flatMap(({ mismatches }) => mismatches), ...(slowest && { slowest }) };
}

const callMismatches = (session: Session, { name }: ToolCall, response: McpResponse): Mismatch[] =>
  succeeded(session, response, {
    of: `tools/call of ${JSON.stringify(name)}`,
    source: mcpSources.toolCall,
    also: (result, exchange) => citing(mcpSources.toolResult, hasContent(result, exchange)),
  });

/** Of both sessions: clients count their requests on their own. */
const SAME_ID = 2001;
const MAX_PAUSE_MS = 1000;

/** Pings in another session during a call. Each client gets its own response, although the ids are the same. */
export function overlapMismatches(
  run: Run,
  endpoint: Endpoint,
  session: Session,
  { call, durationMs }: NonNullable<Called['slowest']>,
): Promise<Mismatch[]> {
  return inSession(run, endpoint, async (other) => {
    const calling = callTool(session, call, SAME_ID);
    await wait(Math.min(durationMs / 2, MAX_PAUSE_MS));
    const [pinged, called] = await Promise.all([other.request('ping', undefined, SAME_ID), calling]);
    const concurrent = { concurrent: [called.exchange] };
    const found = succeeded(other, pinged, { of: 'ping during a tool call of another session', ...pong });
    return [...found.map((each) => ({ ...each, ...concurrent })), ...callMismatches(session, call, called)];
  });
}

const pong: Pick<ExpectedResult, 'source' | 'also'> = {
  source: mcpSources.sameId,
  also: ({ content }, exchange) =>
    content === undefined ? [] : [{ expected: 'the result of ping', actual: 'that of a tool', exchange }],
};

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
  return { response, mismatches: citing(mcpSources.toolErrors, notFailed(response, `an unlisted tool, ${name}`)) };
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
