/** Deviations of streamable HTTP, for both MCP endpoints. */
import type { Rows } from '../table.ts';
import { runWithBody, isFor, sentBody, stateful, repliesWith, type App, type Fault } from '../deviation.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { runWithHeaders } from '../../wrap/wrapping.ts';
import {
  changesModern,
  changesResponse,
  endsSessions,
  failure,
  isModern,
  messageOf,
  postedIn,
  changesReply,
  resultWith,
  sessionOf,
  type Endpoint,
  type Message,
} from './messages.ts';

type Edit = (response: Message, request: Message) => Message;
/** Only of responses to this method. */
const on =
  (method: string, edit: Edit): Edit =>
  (response, request) =>
    request.method === method ? edit(response, request) : response;

const isText = (id: Message['id']): id is string => typeof id === 'string';
const textId =
  (edit: (id: string) => string | number): Edit =>
  (response) =>
    isText(response.id) ? { ...response, id: edit(response.id) } : response;
const MODERN = '2026-07-28';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const [NEWEST, BEFORE] = ['2025-11-25', '2025-06-18'];

/** Replaces members of the result of this method. */
const inResult = (method: string, members: (response: Message, request: Message) => object): Edit =>
  on(method, (response, request) => resultWith(response, members(response, request)));

const toolsIn = ({ result }: Message): object[] => result?.['tools'] as object[];
const firstTwice = (tools: readonly object[]): object[] => [...tools, ...tools.slice(0, 1)];

export function streamableHttpDeviations(endpoint: Endpoint): Rows {
  const answers = (edit: Parameters<typeof changesResponse>[1]): Fault => changesResponse(endpoint, edit);
  return {
    'does not support ping': answers(on('ping', (response) => failure(response, -32_601))),
    'returns an id of digits as a number': answers(textId((id) => (/^\d+$/.test(id) ? Number(id) : id))),
    'returns a negative id without its sign': answers((response, { id }) =>
      typeof id === 'number' && id < 0 ? { ...response, id: -id } : response,
    ),
    'truncates ids to 64 characters': answers(textId((id) => id.slice(0, 64))),
    'returns a string for ping': answers(on('ping', (response) => ({ ...response, result: 'pong' as never }))),
    'truncates ids to 32 bits': answers((response) =>
      isText(response.id) ? response : { ...response, id: Number(response.id) % 2 ** 32 },
    ),
    'returns string ids in upper case': answers(textId((id) => id.toUpperCase())),
    'returns string ids in lower case': answers(textId((id) => id.toLowerCase())),
    'returns 406 if Accept lists text/event-stream first': refusesEventsFirst(endpoint),
    'chooses a version that it does not choose when the client offers it': answers((response, { method, params }) => {
      if (method !== 'initialize') return response;
      return resultWith(response, { protocolVersion: params?.['protocolVersion'] === NEWEST ? BEFORE : NEWEST });
    }),
    'chooses every version that a client offers': answers(
      inResult('initialize', (response, { params }) => ({ protocolVersion: params?.['protocolVersion'] })),
    ),
    'chooses protocol version 1.0': answers(inResult('initialize', () => ({ protocolVersion: '1.0' }))),
    'omits its server info': answers(inResult('initialize', () => ({ serverInfo: undefined }))),
    'lists its last tool without an input schema': answers(
      inResult('tools/list', (response) => ({ tools: lastWithout(toolsIn(response)) })),
    ),
    'lists its first tool twice': answers(
      inResult('tools/list', (response) => ({ tools: firstTwice(toolsIn(response)) })),
    ),
    'returns an endless list of tools': answers(inResult('tools/list', () => ({ nextCursor: 'more' }))),
    'returns a number as the cursor of tools': answers(inResult('tools/list', () => ({ nextCursor: 0 }))),
    ...replyDeviations(endpoint),
    ...modernDeviations(endpoint),
  };
}

const isDiscover = ({ method }: Message): boolean => method === 'server/discover';

/** Of requests that stand alone. */
function modernDeviations(endpoint: Endpoint): Rows {
  const answers = (edit: Parameters<typeof changesModern>[1]): Fault => changesModern(endpoint, edit);
  return {
    'does not support server/discover': changesReply(endpoint, (_, posted, ctx) =>
      isDiscover(posted) && isModern(ctx)
        ? { status: 404, headers: JSON_REPLY.headers, body: JSON.stringify(failure(posted, -32_601)) }
        : undefined,
    ),
    'lists only an older version as supported': answers(
      inResult('server/discover', () => ({ supportedVersions: [NEWEST] })),
    ),
    'omits its capabilities from server/discover': answers(
      inResult('server/discover', () => ({ capabilities: undefined })),
    ),
    'omits the type of results': answers((response) => resultWith(response, { resultType: undefined })),
    'omits for how long a list of tools is fresh': answers(inResult('tools/list', () => ({ ttlMs: undefined }))),
    'returns an unknown cache scope': answers(inResult('server/discover', () => ({ cacheScope: 'shared' }))),
    'lists a tool without an input schema to clients of version 2026-07-28': answers(
      inResult('tools/list', (response) => ({ tools: lastWithout(toolsIn(response)) })),
    ),
    'returns string ids of version 2026-07-28 in lower case': answers(textId((id) => id.toLowerCase())),
    'returns 200 for a notification of version 2026-07-28': changesReply(endpoint, (reply, _, ctx) =>
      reply.status === 202 && isModern(ctx) ? { ...JSON_REPLY, body: '{}' } : undefined,
    ),
    'returns a body for a notification of version 2026-07-28 that has its method in the headers': changesReply(
      endpoint,
      (reply, { method }, ctx) =>
        reply.status === 202 && isModern(ctx) && ctx.get('mcp-method') === method
          ? { ...JSON_REPLY, status: 202, body: '{"accepted":true}' }
          : undefined,
    ),
    'sends a request of its own before the response': repliesToModern(endpoint, (response) => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: [{ jsonrpc: '2.0', id: 'own', method: 'ping' }, response]
        .map((message) => `data: ${JSON.stringify(message)}\n\n`)
        .join(''),
    })),
  };
}

/** Replaces successful responses to requests that stand alone. */
const repliesToModern = (endpoint: Endpoint, replyWith: (response: Message) => Reply): Fault => ({
  ...repliesWith(async (reply, ctx) => {
    if (postedIn(ctx, endpoint)?.id === undefined || !isModern(ctx) || reply.status !== 200) return undefined;
    return replyWith(await messageOf(reply));
  }),
  condition: endpoint.post,
});

/** Of whole responses and of sessions. */
function replyDeviations(endpoint: Endpoint): Rows {
  return {
    'returns 200 for a notification': changesReply(endpoint, (reply) =>
      reply.status === 202 ? { status: 200, body: 'null' } : undefined,
    ),
    'returns a body for a notification': changesReply(endpoint, (reply) =>
      reply.status === 202
        ? { status: 202, headers: { 'content-type': 'application/json' }, body: '{"accepted":true}' }
        : undefined,
    ),
    'responds to an unknown notification with an error and status 200': changesReply(
      endpoint,
      (reply, { method = '' }) =>
        reply.status === 202 && !method.startsWith('notifications/')
          ? { ...JSON_REPLY, body: JSON.stringify(failure({}, -32_601)) }
          : undefined,
    ),
    'responds to a cancellation with an error and status 200': changesReply(endpoint, (reply, { method }) =>
      reply.status === 202 && method === 'notifications/cancelled'
        ? { ...JSON_REPLY, body: JSON.stringify(failure({}, -32_601)) }
        : undefined,
    ),
    'responds to GET with JSON': respondsTo('get', endpoint, { ...JSON_REPLY, body: '{"status":"ok"}' }),
    'responds to ping as text/plain': changesReply(endpoint, (reply, { method }) =>
      method === 'ping' ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } } : undefined,
    ),
    'ends a session as soon as it is initialized': endsSessions(
      endpoint,
      (ctx) => postedIn(ctx, endpoint)?.method === 'notifications/initialized',
    ),
    'returns 404 for tools/list in every session': changesReply(endpoint, (reply, { method }) =>
      method === 'tools/list' ? { ...reply, status: 404, body: failure({}, -32_001) } : undefined,
    ),
    'responds to simultaneous pings with the id of the last': mixesUpIds(endpoint),
    'returns 400 for an ended session': changesReply(endpoint, (reply, _, ctx) =>
      isEndedSession(reply, ctx) ? { ...reply, status: 400 } : undefined,
    ),
    ...Object.fromEntries(
      ['tools/list', 'tools/call'].map((served) => [
        `responds to ${served} in an ended session`,
        changesReply(endpoint, (reply, posted, ctx) =>
          isEndedSession(reply, ctx) && posted.method === served
            ? {
                ...JSON_REPLY,
                body: JSON.stringify({ jsonrpc: '2.0', id: posted.id, result: { tools: [], content: [] } }),
              }
            : undefined,
        ),
      ]),
    ),
    'accepts notifications in an ended session': changesReply(endpoint, (reply, { id, method }, ctx) =>
      isEndedSession(reply, ctx) && id === undefined && method !== undefined ? { status: 202, body: '' } : undefined,
    ),
    'opens an event stream for an ended session': inEndedSession(endpoint, 'get', {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: ': open\n\n',
    }),
    'returns 204 if a session is ended again': inEndedSession(endpoint, 'delete', { status: 204, body: '' }),
    'returns 204 for DELETE and keeps the session': respondsTo('delete', endpoint, {
      status: 204,
      body: '',
    }),
  };
}

/** Of the rule about the version header. */
export function versionHeaderDeviations(endpoint: Endpoint): Rows {
  const ignoresHeader = (concerns: (version: string) => boolean): Fault => ({
    kind: 'change headers',
    condition: endpoint.post,
    wrap: (app) => (ctx) => {
      const version = ctx.get(HEADER);
      if (!isFor(ctx, [endpoint.post]) || version === '' || !concerns(version)) return app(ctx);
      return runWithHeaders(app, ctx, { [HEADER]: NEWEST });
    },
  });
  return {
    'ignores the version header': ignoresHeader(() => true),
    ...Object.fromEntries(
      ['tools/list', 'tools/call'].map((checked) => [
        `ignores the version header of ${checked}`,
        corrects(endpoint, ({ method }, ctx) =>
          method === checked && !isModern(ctx) ? { headers: { [HEADER]: NEWEST } } : undefined,
        ),
      ]),
    ),
    'accepts any date as version header': ignoresHeader((version) => /^\d{4}-\d\d-\d\d$/.test(version)),
    'accepts version headers that start with a version': ignoresHeader((version) => version.startsWith(BEFORE)),
    'returns 406 for an invalid version header': changesReply(endpoint, (reply) =>
      reply.status === 400 ? { ...reply, status: 406 } : undefined,
    ),
    'accepts unknown versions as 2026-07-28': corrects(endpoint, ({ method, params }, ctx) =>
      isModern(ctx) || method === 'initialize' || params?.['_meta'] === undefined
        ? undefined
        : {
            headers: { [HEADER]: MODERN },
            body: { params: { ...params, _meta: { ...(params['_meta'] as object), [META_VERSION]: MODERN } } },
          },
    ),
    'omits the supported versions if it refuses one': changesReply(endpoint, (reply, posted, ctx) =>
      reply.status === 400 && !isModern(ctx) && posted.params?.['_meta'] !== undefined
        ? { ...reply, body: JSON.stringify(failure(posted, -32_022)) }
        : undefined,
    ),
    'ignores the method in the headers': corrects(endpoint, ({ method = '' }, ctx) =>
      isModern(ctx) ? { headers: { 'mcp-method': method } } : undefined,
    ),
    'ignores the name of a tool in the headers': corrects(endpoint, ({ params }, ctx) =>
      isModern(ctx) && typeof params?.['name'] === 'string' ? { headers: { 'mcp-name': params['name'] } } : undefined,
    ),
    'accepts calls without the name of a tool in the headers': corrects(endpoint, ({ params }, ctx) =>
      isModern(ctx) && ctx.get('mcp-name') === '' && typeof params?.['name'] === 'string'
        ? { headers: { 'mcp-name': params['name'] } }
        : undefined,
    ),
    'reports other headers than the body as an invalid request': changesReply(endpoint, (reply, posted, ctx) =>
      reply.status === 400 && isModern(ctx) ? { ...reply, body: JSON.stringify(failure(posted, -32_600)) } : undefined,
    ),
  };
}

/** Replies as if another request had been sent. */
function corrects(
  endpoint: Endpoint,
  correction: (
    sent: Message,
    ctx: Context,
  ) => { readonly headers: Record<string, string>; readonly body?: object } | undefined,
): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = isFor(ctx, [endpoint.post]) ? ((await sentBody(ctx)) as Message | undefined) : undefined;
      const correct = sent?.method === undefined ? undefined : correction(sent, ctx);
      if (correct === undefined) return app(ctx);
      const { headers, body } = correct;
      const withBody: App = body === undefined ? app : (inner) => runWithBody(app, inner, { ...sent, ...body });
      return runWithHeaders(withBody, ctx, headers);
    };
  return { kind: 'accept as corrected', condition: endpoint.post, wrap };
}

/** Of the rule about parse errors. */
export function parseErrorDeviations(endpoint: Endpoint): Rows {
  const responds = (reply: Reply, concerns: (ctx: Context) => boolean = () => true): Fault => {
    const deviation = repliesWith((_, ctx) =>
      isFor(ctx, [endpoint.post]) && postedIn(ctx, endpoint) === undefined && ctx.method === 'POST' && concerns(ctx)
        ? reply
        : undefined,
    );
    return { ...deviation, condition: endpoint.post };
  };
  const json = (status: number, body: object): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const error = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: 'That is not JSON.' } });
  const succeeds = json(200, { jsonrpc: '2.0', id: null, result: {} });
  return {
    'accepts a body that is not JSON': responds({ status: 202, body: '' }),
    'reports a body that is not JSON as an invalid request': responds(json(400, error(-32_600))),
    'responds to a body that is not JSON with a result': responds(succeeds),
    'responds to a body of version 2026-07-28 that is not JSON with a result': responds(succeeds, isModern),
    'reports a body of version 2026-07-28 that is not JSON with -32000': responds(json(400, error(-32_000)), isModern),
    'responds to a body of an earlier version that is not JSON with a result': responds(
      succeeds,
      (ctx) => !isModern(ctx),
    ),
    'returns 500 and another error for a body that is not JSON': responds(json(500, error(-32_603))),
    'returns 200 and text for a body that is not JSON': responds({ status: 200, body: 'That is not JSON.' }),
  };
}

const JSON_REPLY = { status: 200, headers: { 'content-type': 'application/json' } } as const;

const respondsTo = (method: 'get' | 'delete', endpoint: Endpoint, reply: Reply): Fault => ({
  kind: 'change response',
  condition: endpoint[method],
  wrap: (app) => async (ctx) => {
    if (isFor(ctx, [endpoint[method]])) ctx.state.reply = reply;
    else await app(ctx);
  },
});

const isEndedSession = ({ status }: Reply, ctx: Context): boolean => status === 404 && sessionOf(ctx) !== '';

const inEndedSession = (endpoint: Endpoint, method: 'get' | 'delete', instead: Reply): Fault => ({
  ...repliesWith((reply, ctx) => (isFor(ctx, [endpoint[method]]) && isEndedSession(reply, ctx) ? instead : undefined)),
  condition: endpoint[method],
});

const HEADER = 'mcp-protocol-version';

function lastWithout(tools: readonly object[]): object[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, inputSchema: undefined } : tool));
}

const refusesEventsFirst = (endpoint: Endpoint): Fault => ({
  kind: 'refuse',
  condition: endpoint.post,
  wrap: (app) => async (ctx) => {
    await app(ctx);
    if (isFor(ctx, [endpoint.post]) && ctx.get('accept').startsWith('text/event-stream'))
      ctx.state.reply = { status: 406, body: failure({}, -32_000) };
  },
});

/** Stores the id in one place for all concurrent requests. */
function mixesUpIds(endpoint: Endpoint): Fault {
  return stateful(() => {
    let last: Message['id'];
    const { wrap } = changesResponse(endpoint, (response, { method }) =>
      method === 'ping' && last !== undefined ? { ...response, id: last } : response,
    );
    const late =
      (app: App): App =>
      async (ctx) => {
        await app(ctx);
        const posted = postedIn(ctx, endpoint);
        if (posted?.method !== 'ping') return;
        last = posted.id;
        await wait(50); // What a server does between reading a request and answering it.
      };
    return { kind: 'mix up simultaneous requests', condition: endpoint.post, wrap: (app) => wrap(late(app)) };
  });
}
