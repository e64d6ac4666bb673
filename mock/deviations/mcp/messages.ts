/** Deviations of MCP servers: messages and sessions. */
import { isFor, repliesWith, type App, type Fault } from '../deviation.ts';
import { Readable } from 'node:stream';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number | string; readonly message: string };
}

/** The three operations of one endpoint. */
export interface Endpoint {
  readonly post: OperationId;
  readonly get: OperationId;
  readonly delete: OperationId;
}

export const sessionOf = (ctx: Context): string => String(ctx.headers['mcp-session-id'] ?? '');

const MODERN_VERSION = '2026-07-28';

/** Whether the request stands alone (MCP 2026-07-28): the others belong to the protocol with `initialize`. */
export const isModern = (ctx: Context): boolean => ctx.get('mcp-protocol-version') === MODERN_VERSION;

/** Only of requests that stand alone. */
export const changesModern = (endpoint: Endpoint, edit: (response: Message, request: Message) => Message): Fault =>
  changesResponse(endpoint, (response, request, ctx) => (isModern(ctx) ? edit(response, request) : response));

export const resultWith = (response: Message, members: object): Message => ({
  ...response,
  result: { ...response.result, ...members },
});

export const failure = ({ id }: Message, code: number | string): Message => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message: 'That does not work.' },
});

/** The posted message. Undefined if there is none. */
export const postedIn = (ctx: Context, { post }: Endpoint): Message | undefined =>
  isFor(ctx, [post]) ? (ctx.state.body as Message | undefined) : undefined;

/** Modifies every message of a response with `edit`. */
export function changesResponse(
  endpoint: Endpoint,
  edit: (response: Message, request: Message, ctx: Context) => Message,
): Fault {
  const deviation = repliesWith((reply, ctx) => {
    const request = postedIn(ctx, endpoint);
    if (request?.method === undefined || request.id === undefined || reply.status !== 200) return undefined;
    return edited(reply, (response) => edit(response, request, ctx));
  });
  return { ...deviation, condition: endpoint.post };
}

async function edited(reply: Reply, edit: (response: Message) => Message): Promise<Reply> {
  const text = await textOf(reply.body);
  const isStream = reply.headers?.['content-type']?.startsWith('text/event-stream') === true;
  return { ...reply, body: isStream ? eachData(text, edit) : rewritten(text, edit) };
}

const eachData = (text: string, edit: (response: Message) => Message): string =>
  text.replaceAll(/^data: (\{.*)$/gm, (_, json: string) => `data: ${rewritten(json, edit)}`);

const rewritten = (json: string, edit: (response: Message) => Message): string =>
  JSON.stringify(edit(JSON.parse(json) as Message));

/** The message of a response that is one JSON object. */
export const messageOf = async ({ body }: Reply): Promise<Message> => JSON.parse(await textOf(body)) as Message;

/** The stream of a POST ends with its response. */
async function textOf(body: unknown): Promise<string> {
  if (body instanceof Readable)
    return Buffer.concat((await body.toArray()).map((piece) => Buffer.from(piece as Uint8Array))).toString();
  return typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString();
}

/** Replaces the response to a posted message. Undefined keeps it. */
export function changesReply(
  endpoint: Endpoint,
  edit: (reply: Reply, posted: Message, ctx: Context) => Reply | undefined,
): Fault {
  const deviation = repliesWith((reply, ctx) => {
    const posted = postedIn(ctx, endpoint);
    return posted === undefined ? undefined : edit(reply, posted, ctx);
  });
  return { ...deviation, condition: endpoint.post };
}

/** After a response for which `isEnd` holds, the session of the request is unknown. */
export function endsSessions(endpoint: Endpoint, isEnd: (ctx: Context) => boolean): Fault {
  const wrap = (app: App): App => {
    const gone = new Set<string>();
    return async (ctx) => {
      if (!isFor(ctx, [endpoint.post])) return app(ctx);
      if (gone.has(sessionOf(ctx))) {
        ctx.state.reply = { status: 404, body: failure({}, -32_001) };
        return;
      }
      await app(ctx);
      if (isEnd(ctx)) gone.add(sessionOf(ctx));
    };
  };
  return { kind: 'end session', condition: endpoint.post, wrap };
}
