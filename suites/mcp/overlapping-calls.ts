/** Calls of tools during requests of other clients that have the same id: each client gets its own response. */
import { setTimeout as wait } from 'node:timers/promises';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { isHttpError } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { otherMessage } from '../kit/mcp/expect.ts';
import { messagesIn } from '../kit/mcp/messages.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { RESPONSE_SECONDS, responseSeconds } from '../kit/mcp/post.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { inSession, modernSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { HarnessError } from '../target/transport.ts';
import { callMismatches, callTool } from './tool-calls.ts';
import type { CalledTool } from './tool-calls.ts';

/** The first one of all clients: they count their requests on their own. */
const FIRST_ID = 2001;
/** Of the ids of two rounds, because a session must not use one twice (MCP 2025-11-25, Requests). */
const IDS_PER_ROUND = 10;
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
  if (!session.isModern)
    return inSession(run, endpoint, (other) => legacyOverlapMismatches(run, session, other, repeated));
  const eras = { discovered: session.started };
  const others = modernMethods.map((_, index) => modernSession(run, endpoint, eras, `assay-${index + 2}`));
  return modernOverlapMismatches(run, session, others, repeated);
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

/** Requests that every server of version 2026-07-28 with tools responds to. */
const modernMethods = ['server/discover', 'tools/list'] as const;
type Method = 'tools/call' | 'ping' | (typeof modernMethods)[number];

/** What no result of the other methods has. That of a ping is empty. */
const ownMembers: Readonly<Record<Exclude<Method, 'ping'>, readonly string[]>> = {
  'tools/call': ['content', 'structuredContent'],
  'server/discover': ['supportedVersions'],
  'tools/list': ['tools'],
};

/** Whether a result may be that of the method. */
function isOf(method: Method, result: Fields): boolean {
  const members = method === 'ping' ? Object.values(ownMembers).flat() : ownMembers[method];
  return members.some((name) => result[name] !== undefined) === (method !== 'ping');
}

/** A request of another client during the call. */
interface OtherRequest {
  readonly method: Method;
  readonly client: Session;
}

interface Sent {
  readonly method: Method;
  /** Undefined for a client that the server cannot tell from others: it may refuse an id that is in use. */
  readonly sessionId: string | undefined;
  /** Undefined if there was none in time. */
  readonly response: McpResponse | undefined;
}

/** The other client is in its own session, unless the server has none. */
export const legacyOverlapMismatches = (
  run: Run,
  session: Session,
  other: Session,
  repeated: CalledTool,
): Promise<Mismatch[]> => overlapRepeatedly(run, session, [{ method: 'ping', client: other }], repeated, [1]);

/** Of the other requests after the call, as parts of the pause: a fast tool may have responded before they arrive. */
const modernDelays = [1, 0] as const;

/** The same without sessions (MCP 2026-07-28): nothing but the POST says whose response it is. */
export function modernOverlapMismatches(
  run: Run,
  session: Session,
  others: readonly Session[],
  repeated: CalledTool,
): Promise<Mismatch[]> {
  const requests = modernMethods.map((method, index) => ({ method, client: others[index]! }));
  return overlapRepeatedly(run, session, requests, repeated, modernDelays);
}

/** If a request is not served, the ids are to blame only if all are served as soon as they differ, and not again with the same ids. */
async function overlapRepeatedly(
  run: Run,
  session: Session,
  others: readonly OtherRequest[],
  repeated: CalledTool,
  delays: readonly number[],
): Promise<Mismatch[]> {
  let roundCount = 0;
  const clients = [session, ...others.map(({ client }) => client)];
  /** Empty if the server ended a session meanwhile, which it may do at any time, also while it responds. */
  const overlap = async (pauseMs: number, idStep: 0 | 1): Promise<Sent[]> => {
    const firstId = FIRST_ID + IDS_PER_ROUND * roundCount;
    roundCount += 1;
    const before = clients.map(({ sessionId }) => sessionId);
    const sent = await overlapOnce(session, others, repeated, { pauseMs, idAt: (index) => firstId + idStep * index });
    if (strayMismatches(run, sent).length === 0 && !sent.some(isUnserved)) return sent;
    for (const [at, client] of clients.entries()) if (await hasEnded(client, before[at])) return [];
    return sent;
  };
  for (const delay of delays) {
    const pauseMs = delay * pauseOf(repeated.response);
    const sent = await overlap(pauseMs, 0);
    const found = strayMismatches(run, sent);
    if (found.length > 0) return found;
    if (!sent.some(isUnserved)) continue;
    // It may be slow, or refuse the request, for another reason.
    const apart = await overlap(pauseMs, 1);
    const again = apart.length === 0 || apart.some(isUnserved) ? [] : await overlap(pauseMs, 0);
    return [...strayMismatches(run, again), ...unservedMismatches(again, apart)];
  }
  return [];
}

async function overlapOnce(
  session: Session,
  others: readonly OtherRequest[],
  { call }: CalledTool,
  { pauseMs, idAt }: { readonly pauseMs: number; readonly idAt: (index: number) => MessageId },
): Promise<Sent[]> {
  const calling = undefinedIfNone(callTool(session, call, idAt(0)));
  await wait(pauseMs);
  const requested = others.map(async ({ method, client }, index) => {
    const response = await undefinedIfNone(client.request(method, undefined, idAt(index + 1)));
    return { method, response, sessionId: client.sessionId };
  });
  const { sessionId } = session;
  return Promise.all([
    calling.then((response) => ({ method: 'tools/call' as const, response, sessionId })),
    ...requested,
  ]);
}

/** A session that has ended is renewed by its next request. */
async function hasEnded(client: Session, sessionId: string | undefined): Promise<boolean> {
  if (sessionId !== undefined && client.sessionId === sessionId) await undefinedIfNone(client.request('ping'));
  return client.sessionId !== sessionId;
}

const exchangesOf = (sent: readonly Sent[]) => sent.flatMap(({ response }) => response?.exchange ?? []);

const isSilent = ({ response }: Sent): boolean =>
  response === undefined || (response.message === undefined && !isHttpError(response.exchange));

/** A tool may fail this time. */
const isRefused = ({ method, sessionId, response }: Sent): boolean =>
  method !== 'tools/call' &&
  sessionId !== undefined &&
  (response?.message?.error !== undefined || fieldsOf(response?.message?.result) === undefined);

const isUnserved = (sent: Sent): boolean => isSilent(sent) || isRefused(sent);

function strayMismatches(run: Run, sent: readonly Sent[]): Mismatch[] {
  const methods = sent.map(({ method }) => method);
  const found = sent.flatMap(({ method, response }) => {
    const actual = response && strayIn(run, method, response, methods);
    if (response === undefined || actual === undefined) return [];
    const { exchange } = response;
    const concurrent = exchangesOf(sent).filter((each) => each !== exchange);
    const expected = `the result of ${method}, during requests of other clients with the same id`;
    return [{ expected, actual, exchange, concurrent }];
  });
  return citing(mcpSources.sameId, found);
}

/** What there is instead of the response to the request. Undefined for its own response, even if that is an error. */
function strayIn(run: Run, method: Method, response: McpResponse, methods: readonly Method[]): string | undefined {
  const { message } = response;
  if (message === undefined)
    return isLost(run, method, response) ? (otherMessage(response.exchange) ?? 'none') : undefined;
  const result = fieldsOf(message.result);
  if (result === undefined || isOf(method, result)) return undefined;
  const other = methods.find((each) => each !== method && isOf(each, result));
  return other && `that of ${other}: ${formatValue(result, 200)}`;
}

/** There is a response of another id, or the server has ended its response without one. */
function isLost(run: Run, method: Method, { exchange }: McpResponse): boolean {
  const { response, durationMs } = exchange;
  if (messagesIn(response, response.text).some(({ id }) => id !== undefined && id !== null)) return true;
  const seconds = method === 'tools/call' ? responseSeconds(run) : RESPONSE_SECONDS;
  return !isHttpError(exchange) && durationMs < seconds * 1000;
}

/** `apart`: the same requests, all with a response, because their ids differed. */
function unservedMismatches(again: readonly Sent[], apart: readonly Sent[]): Mismatch[] {
  const unserved = again.find(isUnserved);
  const [exchange, ...concurrent] = [
    ...exchangesOf(again.filter(isUnserved)),
    ...exchangesOf(again),
    ...exchangesOf(apart),
  ];
  if (unserved === undefined || exchange === undefined) return [];
  const expected = `a response to ${unserved.method}, as if the other clients had sent other ids`;
  const about = { expected, exchange, concurrent: [...new Set(concurrent)] };
  const error = unserved.response?.message?.error;
  if (!isSilent(unserved)) {
    const { status } = exchange.response;
    const actual = error === undefined ? `status ${status}` : `error: ${formatValue(error, 200)}`;
    return citing(mcpSources.sameId, [
      { ...about, expected: expected.replace('response', 'result'), actual: `${actual}, twice` },
    ]);
  }
  const received = unserved.response && otherMessage(unserved.response.exchange);
  const actual = received === undefined ? 'none, twice' : `none, twice; the second time ${received}`;
  return citing(mcpSources.reply, [{ ...about, actual }]);
}
