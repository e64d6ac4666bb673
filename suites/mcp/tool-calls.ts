/** Calls of tools: which tools may be called, with which arguments, and what their results contain. */
import { setTimeout as wait } from 'node:timers/promises';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { isHttpError } from '../expect/status.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { hasResponse, succeeded } from '../kit/mcp/expect.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { mirroredArguments } from '../kit/mcp/modern.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { argumentsFor } from './tool-arguments.ts';
import { UNLISTED_TOOL } from './tools.ts';
import type { Tool } from './tools.ts';

/** Effects of a tool cannot be undone: tools that write are called only with allow: destroy. */
export const mayCall = ({ target: { allow } }: Run, { onlyReads, needsTask }: Tool): boolean =>
  !needsTask && (onlyReads || allow === 'destroy');

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
  /** The headers that repeat arguments. */
  readonly mirrored: HeaderInput;
  readonly onlyReads: boolean;
}

export const toolCall = ({ name, inputSchema, onlyReads }: Tool, given: object): ToolCall => ({
  name,
  onlyReads,
  arguments: given,
  mirrored: mirroredArguments(inputSchema, given),
});

export const callsOf = (tool: Tool): ToolCall[] => argumentsFor(tool.inputSchema).map((each) => toolCall(tool, each));

export const callTool = (session: Session, call: ToolCall, id?: MessageId): Promise<McpResponse> =>
  requestTool(session, { name: call.name, arguments: call.arguments }, id, call.mirrored);

/** A server may defer a call: a request with the state of its response completes it (MCP 2026-07-28, Multi Round-Trip Requests). */
async function requestTool(
  session: Session,
  params: Fields,
  id?: MessageId,
  headers?: HeaderInput,
): Promise<McpResponse> {
  const response = await session.request('tools/call', params, id, headers);
  const { resultType, requestState, inputRequests } = fieldsOf(response.message?.result) ?? {};
  const isDeferred = resultType === 'input_required' && requestState !== undefined && inputRequests === undefined;
  return isDeferred ? session.request('tools/call', { ...params, requestState }, undefined, headers) : response;
}

export interface CalledTool {
  readonly call: ToolCall;
  readonly response: McpResponse;
}

export interface Called {
  readonly mismatches: readonly Mismatch[];
  readonly calls: readonly CalledTool[];
}

/**
 * Undefined if no call shows anything: the duration of a tool is not documented, and a tool may need what the client does not
 * offer.
 */
export async function callAll(session: Session, calls: readonly ToolCall[]): Promise<Called | undefined> {
  const called: CalledTool[] = [];
  for (const call of calls) called.push({ call, response: await callUntilServed(session, call) });
  const served = called.filter(({ response }) => isInTime(response) && !needsClient(response));
  const refused = served.filter((each) => isOfValues(each, served));
  const unknown = refused.length === 0 ? [] : await unknownTools(session, refused);
  const telling = served.filter((each) => !refused.includes(each) || unknown.includes(each));
  if (telling.length === 0) return undefined;
  return { mismatches: telling.flatMap((each) => callMismatches(session, each.call, each.response)), calls: telling };
}

/** An error of the server itself (JSON-RPC 2.0 section 5.1), such as a limit of its rate, may be gone after a pause. */
async function callUntilServed(session: Session, call: ToolCall): Promise<McpResponse> {
  const response = await callTool(session, call);
  if (!call.onlyReads || !isServerError(response)) return response;
  await wait(RATE_PAUSE_MS);
  return callTool(session, call);
}

const RATE_PAUSE_MS = 1500;

function isServerError({ message }: McpResponse): boolean {
  const code = fieldsOf(message?.error)?.['code'];
  return typeof code === 'number' && code <= -32_000 && code > -32_020;
}

const isInTime = ({ exchange, message }: McpResponse): boolean => message !== undefined || isHttpError(exchange);

/** A missing client capability (MCP 2026-07-28), and an authorization in a browser (MCP 2025-11-25, URL mode elicitation). */
const CLIENT_NEEDED: readonly unknown[] = [-32_021, -32_042];

/** Or a scope of the token, which the server names in a challenge (RFC 6750 section 3). */
const needsClient = ({ exchange: { response }, message }: McpResponse): boolean =>
  CLIENT_NEEDED.includes(fieldsOf(message?.error)?.['code']) ||
  (response.status === 403 && /insufficient_scope/.test(response.headers['www-authenticate'] ?? ''));

const INVALID_PARAMS = -32_602;

/**
 * Whether a server may refuse the values of arguments: no schema says which customers or orders exist. In newer revisions, that
 * is a result with isError; in MCP 2025-06-18, invalid arguments are a protocol error. Values that the tool accepts in
 * another call are not to blame.
 */
function isOfValues({ call, response: { message } }: CalledTool, called: readonly CalledTool[]): boolean {
  if (fieldsOf(message?.error)?.['code'] !== INVALID_PARAMS) return false;
  const others = called.filter((each) => each.call.name === call.name && each.response.message?.result !== undefined);
  const accepted = new Set(others.flatMap((each) => namesIn(each.call.arguments)));
  return namesIn(call.arguments).some((value) => !accepted.has(value));
}

/** Texts and whole numbers at any depth: they may name something. */
const namesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(namesIn)
    : typeof value === 'string' || Number.isInteger(value)
      ? [value]
      : [];

/** Those that are refused like a tool that is not listed. */
async function unknownTools(session: Session, refused: readonly CalledTool[]): Promise<CalledTool[]> {
  const { response } = await callUnlistedTool(session, UNLISTED_TOOL);
  return refused.filter((each) => isUnknownTool(each.response, each.call.name, { response, name: UNLISTED_TOOL }));
}

export const callMismatches = (session: Session, { name }: ToolCall, response: McpResponse): Mismatch[] =>
  succeeded(session, response, {
    of: `tools/call of ${JSON.stringify(name)}`,
    source: mcpSources.toolCall,
    also: (result, exchange) => citing(mcpSources.toolResult, hasContent(result, exchange)),
  });

/** A list of parts that have a type; text has its string (MCP 2025-11-25, Tool Result). May be absent next to structured content. */
export function hasContent({ content, structuredContent }: Fields, exchange: Exchange): Mismatch[] {
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
  const response = await requestTool(session, { name, arguments: {} });
  return { response, mismatches: citing(mcpSources.toolErrors, notFailed(response, `an unlisted tool, ${name}`)) };
}

/** Empty for a JSON-RPC error or a result with `isError`: MCP describes both, and servers differ. */
export function notFailed(response: McpResponse, what: string): Mismatch[] {
  const { exchange, message } = response;
  if (message === undefined) return isHttpError(exchange) ? [] : hasResponse(response);
  const { isError, resultType } = fieldsOf(message.result) ?? {};
  // A request for input is not the result of the call.
  const hasFailed = message.error !== undefined || isError === true || resultType === 'input_required';
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
