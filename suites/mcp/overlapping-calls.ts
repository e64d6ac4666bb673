/** Calls of tools during requests of other clients that have the same id: each client gets its own response. */
import { setTimeout as wait } from 'node:timers/promises';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { isHttpError } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { otherMessage, succeeded } from '../kit/mcp/expect.ts';
import type { ExpectedResult } from '../kit/mcp/expect.ts';
import { messagesIn } from '../kit/mcp/messages.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { responseSeconds } from '../kit/mcp/post.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession, modernSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { HarnessError } from '../target/transport.ts';
import { callMismatches, callTool } from './tool-calls.ts';
import type { CalledTool } from './tool-calls.ts';

/** Of all clients: they count their requests on their own. */
const SAME_ID = 2001;
const MAX_PAUSE_MS = 1000;

/** Of the calls that have succeeded. If none of them only reads, one that may write is repeated with `allow: destroy`. */
export function slowestCall(
  { target: { allow } }: Pick<Run, 'target'>,
  session: Session,
  calls: readonly CalledTool[],
): CalledTool | undefined {
  const slowestFirst = calls
    .filter(({ call, response }) => callMismatches(session, call, response).length === 0)
    .toSorted((one, other) => other.response.exchange.durationMs - one.response.exchange.durationMs);
  const reading = slowestFirst.find(({ call }) => call.onlyReads);
  return reading ?? (allow === 'destroy' ? slowestFirst[0] : undefined);
}

/** Repeats the call in this session, while other clients send requests. Nothing is called if there is no such call. */
export async function overlapMismatches(
  run: Run,
  endpoint: Endpoint,
  session: Session,
  repeated: CalledTool | undefined,
): Promise<Mismatch[]> {
  if (repeated === undefined) return [];
  if (!session.isModern) return pingMismatches(run, endpoint, session, repeated);
  const eras = { discovered: session.started };
  const others = otherRequests.map((_, index) => modernSession(run, endpoint, eras, `assay-${index + 2}`));
  return modernOverlapMismatches(run, session, others, repeated);
}

async function pingMismatches(
  run: Run,
  endpoint: Endpoint,
  session: Session,
  { call, response }: CalledTool,
): Promise<Mismatch[]> {
  return inSession(run, endpoint, async (other) => {
    const calling = undefinedIfNone(callTool(session, call, SAME_ID));
    await wait(pauseOf(response));
    const [pinged, again] = await Promise.all([other.request('ping', undefined, SAME_ID), calling]);
    const concurrent = again === undefined ? {} : { concurrent: [again.exchange] };
    const found = succeeded(other, pinged, { of: 'ping during a tool call of another session', ...pong });
    return [
      ...found.map((each) => ({ ...each, ...concurrent })),
      ...(again !== undefined && isStray(run, again) ? callMismatches(session, call, again) : []),
    ];
  });
}

const pauseOf = ({ exchange }: McpResponse): number => Math.min(exchange.durationMs / 2, MAX_PAUSE_MS);

/** The duration of a tool is not documented: there may be no response in time. */
async function undefinedIfNone(requested: Promise<McpResponse>): Promise<McpResponse | undefined> {
  try {
    return await requested;
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

/**
 * Whether the response of a repeated call went elsewhere: there is the result of another method, or one of another id, or
 * none. The tool itself may fail or take long this time.
 */
function isStray(run: Run, response: McpResponse): boolean {
  const { message } = response;
  if (message === undefined) return isLost(run, response);
  const result = fieldsOf(message.result);
  return result !== undefined && result['content'] === undefined && result['structuredContent'] === undefined;
}

/** There is a response of another id, or the server has ended its response without one. */
function isLost(run: Run, { exchange }: McpResponse): boolean {
  const { response, durationMs } = exchange;
  if (messagesIn(response, response.text).some(({ id }) => id !== undefined && id !== null)) return true;
  return !isHttpError(exchange) && durationMs < responseSeconds(run) * 1000;
}

const pong: Pick<ExpectedResult, 'source' | 'also'> = {
  source: mcpSources.sameId,
  also: ({ content }, exchange) =>
    content === undefined ? [] : [{ expected: 'the result of ping', actual: 'that of a tool', exchange }],
};

/** Requests that every server with tools responds to. */
const otherRequests = ['server/discover', 'tools/list'] as const;
type Method = 'tools/call' | (typeof otherRequests)[number];

/** What no result of the other methods has. */
const ownMembers: Readonly<Record<Method, readonly string[]>> = {
  'tools/call': ['content', 'structuredContent'],
  'server/discover': ['supportedVersions'],
  'tools/list': ['tools'],
};

interface Sent {
  readonly method: Method;
  /** Undefined if there was none in time. */
  readonly response: McpResponse | undefined;
}

/** Of the other requests after the call, as parts of the pause: a fast tool may have responded before they arrive. */
const delays = [1, 0] as const;

/**
 * The same without sessions (MCP 2026-07-28): nothing but the POST says whose response it is. A server may refuse any of the
 * requests, because it cannot know that they are of several clients.
 */
export async function modernOverlapMismatches(
  run: Run,
  session: Session,
  others: readonly Session[],
  repeated: CalledTool,
): Promise<Mismatch[]> {
  const overlap = (pauseMs: number, idAt: (index: number) => MessageId) =>
    overlapOnce(session, others, repeated, { pauseMs, idAt });
  for (const delay of delays) {
    const pauseMs = delay * pauseOf(repeated.response);
    const sent = await overlap(pauseMs, () => SAME_ID);
    const found = strayMismatches(run, sent);
    if (found.length > 0) return found;
    if (!sent.some(isSilent)) continue;
    // It may be slow for another reason.
    const apart = await overlap(pauseMs, (index) => SAME_ID + 1 + index);
    const again = apart.some(isSilent) ? [] : await overlap(pauseMs, () => SAME_ID);
    return [...strayMismatches(run, again), ...silentMismatches(again, apart)];
  }
  return [];
}

async function overlapOnce(
  session: Session,
  others: readonly Session[],
  { call }: CalledTool,
  { pauseMs, idAt }: { readonly pauseMs: number; readonly idAt: (index: number) => MessageId },
): Promise<Sent[]> {
  const calling = undefinedIfNone(callTool(session, call, idAt(0)));
  await wait(pauseMs);
  const requested = otherRequests.map(async (method, index) => ({
    method,
    response: await undefinedIfNone(others[index]!.request(method, undefined, idAt(index + 1))),
  }));
  return Promise.all([calling.then((response) => ({ method: 'tools/call' as const, response })), ...requested]);
}

const exchangesOf = (sent: readonly Sent[]) => sent.flatMap(({ response }) => response?.exchange ?? []);

const isSilent = ({ response }: Sent): boolean =>
  response === undefined || (response.message === undefined && !isHttpError(response.exchange));

function strayMismatches(run: Run, sent: readonly Sent[]): Mismatch[] {
  const found = sent.flatMap(({ method, response }) => {
    const actual = response && strayIn(run, method, response);
    if (response === undefined || actual === undefined) return [];
    const { exchange } = response;
    const concurrent = exchangesOf(sent).filter((each) => each !== exchange);
    const expected = `the result of ${method}, during requests of other clients with the same id`;
    return [{ expected, actual, exchange, concurrent }];
  });
  return citing(mcpSources.sameId, found);
}

/** What there is instead of the response to the request. Undefined for its own response, even if that is an error. */
function strayIn(run: Run, method: Method, response: McpResponse): string | undefined {
  const { message } = response;
  if (message === undefined) return isLost(run, response) ? (otherMessage(response.exchange) ?? 'none') : undefined;
  const result = fieldsOf(message.result) ?? {};
  const has = (each: Method): boolean => ownMembers[each].some((name) => result[name] !== undefined);
  const other = (Object.keys(ownMembers) as Method[]).find((each) => each !== method && has(each));
  return other === undefined || has(method) ? undefined : `that of ${other}: ${formatValue(result, 200)}`;
}

/** `apart`: the same requests, all with a response, because their ids differed. */
function silentMismatches(again: readonly Sent[], apart: readonly Sent[]): Mismatch[] {
  const silent = again.find(isSilent);
  const [exchange, ...concurrent] = [
    ...exchangesOf(again.filter(isSilent)),
    ...exchangesOf(again),
    ...exchangesOf(apart),
  ];
  if (silent === undefined || exchange === undefined) return [];
  const expected = `a response to ${silent.method}, as if the other clients had sent other ids`;
  const received = silent.response && otherMessage(silent.response.exchange);
  const actual = received === undefined ? 'none, twice' : `none, twice; the second time ${received}`;
  return citing(mcpSources.reply, [{ expected, actual, exchange, concurrent: [...new Set(concurrent)] }]);
}
