/** Deviations of streamable HTTP, for both MCP endpoints. */
import { setTimeout as wait } from 'node:timers/promises';
import { statefulDeviation } from '../stateful-deviation.ts';
import { isFor, repliesWith, runWithBody, sentBody, type App, type Deviation } from '../deviation.ts';
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
  sessionOf,
  type Endpoint,
  type Message,
} from './messages.ts';

const isText = (id: Message['id']): id is string => typeof id === 'string';
const MODERN = '2026-07-28';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const [NEWEST, BEFORE] = ['2025-11-25', '2025-06-18'];

const resultWith = (response: Message, members: object): Message => ({
  ...response,
  result: { ...response.result, ...members },
});

const toolsIn = ({ result }: Message): object[] => result?.['tools'] as object[];
const firstTwice = (tools: readonly object[]): object[] => [...tools, ...tools.slice(0, 1)];

/** By variant of the rule. */
export function streamableHttpDeviations(endpoint: Endpoint): Record<string, Deviation> {
  const answers = (what: string, edit: Parameters<typeof changesResponse>[2]): Deviation =>
    changesResponse(what, endpoint, edit);
  return {
    '': answers('Does not support ping', (response, { method }) =>
      method === 'ping' ? failure(response, -32_601) : response,
    ),
    '/digits': answers('Returns an id of digits as a number', (response, { id }) =>
      isText(id) && /^\d+$/.test(id) ? { ...response, id: Number(id) } : response,
    ),
    '/negative': answers('Returns a negative id without its sign', (response, { id }) =>
      typeof id === 'number' && id < 0 ? { ...response, id: -id } : response,
    ),
    '/long-id': answers('Truncates ids to 64 characters', (response, { id }) =>
      isText(id) ? { ...response, id: id.slice(0, 64) } : response,
    ),
    '/pong': answers('Returns a string for ping', (response, { method }) =>
      method === 'ping' ? { ...response, result: 'pong' as never } : response,
    ),
    '/large-ids': answers('Truncates ids to 32 bits', (response) =>
      isText(response.id) ? response : { ...response, id: Number(response.id) % 2 ** 32 },
    ),
    '/text-ids': answers('Returns string ids in upper case', (response) =>
      isText(response.id) ? { ...response, id: response.id.toUpperCase() } : response,
    ),
    '/lower-case-ids': answers('Returns string ids in lower case', (response) =>
      isText(response.id) ? { ...response, id: response.id.toLowerCase() } : response,
    ),
    '/accept': refusesEventsFirst(endpoint),
    '/version': answers(
      'Chooses a version that it does not choose when the client offers it',
      (response, { method, params }) => {
        if (method !== 'initialize') return response;
        return resultWith(response, { protocolVersion: params?.['protocolVersion'] === NEWEST ? BEFORE : NEWEST });
      },
    ),
    '/offered-version': answers('Chooses every version that a client offers', (response, { method, params }) =>
      method === 'initialize' ? resultWith(response, { protocolVersion: params?.['protocolVersion'] }) : response,
    ),
    '/version-number': answers('Chooses protocol version 1.0', (response, { method }) =>
      method === 'initialize' ? resultWith(response, { protocolVersion: '1.0' }) : response,
    ),
    '/nameless': answers('Omits its server info', (response, { method }) =>
      method === 'initialize' ? resultWith(response, { serverInfo: undefined }) : response,
    ),
    '/schema': answers('Lists its last tool without an input schema', (response, { method }) =>
      method === 'tools/list' ? resultWith(response, { tools: lastWithout(toolsIn(response)) }) : response,
    ),
    '/repeated-tool': answers('Lists its first tool twice', (response, { method }) =>
      method === 'tools/list' ? resultWith(response, { tools: firstTwice(toolsIn(response)) }) : response,
    ),
    '/pages': answers('Returns an endless list of tools', (response, { method }) =>
      method === 'tools/list' ? resultWith(response, { nextCursor: 'more' }) : response,
    ),
    '/cursor': answers('Returns a number as the cursor of tools', (response, { method }) =>
      method === 'tools/list' ? resultWith(response, { nextCursor: 0 }) : response,
    ),
    ...replyDeviations(endpoint),
    ...modernDeviations(endpoint),
  };
}

const isDiscover = ({ method }: Message): boolean => method === 'server/discover';

/** Of requests that stand alone. */
function modernDeviations(endpoint: Endpoint): Record<string, Deviation> {
  const answers = (what: string, edit: Parameters<typeof changesModern>[2]): Deviation =>
    changesModern(what, endpoint, edit);
  return {
    '/discover': changesReply('Does not support server/discover', endpoint, (_, posted, ctx) =>
      isDiscover(posted) && isModern(ctx)
        ? { status: 404, headers: JSON_REPLY.headers, body: JSON.stringify(failure(posted, -32_601)) }
        : undefined,
    ),
    '/supported-versions': answers('Lists only an older version as supported', (response, request) =>
      isDiscover(request) ? resultWith(response, { supportedVersions: [NEWEST] }) : response,
    ),
    '/capabilities': answers('Omits its capabilities from server/discover', (response, request) =>
      isDiscover(request) ? resultWith(response, { capabilities: undefined }) : response,
    ),
    '/result-type': answers('Omits the type of results', (response) => resultWith(response, { resultType: undefined })),
    '/caching-hints': answers('Omits for how long a list of tools is fresh', (response, { method }) =>
      method === 'tools/list' ? resultWith(response, { ttlMs: undefined }) : response,
    ),
    '/cache-scope': answers('Returns an unknown cache scope', (response, request) =>
      isDiscover(request) ? resultWith(response, { cacheScope: 'shared' }) : response,
    ),
    '/modern-schema': answers(
      'Lists a tool without an input schema to clients of version 2026-07-28',
      (response, { method }) =>
        method === 'tools/list' ? resultWith(response, { tools: lastWithout(toolsIn(response)) }) : response,
    ),
    '/modern-ids': answers('Returns string ids of version 2026-07-28 in lower case', (response) =>
      isText(response.id) ? { ...response, id: response.id.toLowerCase() } : response,
    ),
    '/modern-notification': changesReply(
      'Returns 200 for a notification of version 2026-07-28',
      endpoint,
      (reply, _, ctx) => (reply.status === 202 && isModern(ctx) ? { ...JSON_REPLY, body: '{}' } : undefined),
    ),
    '/server-request': repliesToModern('Sends a request of its own before the response', endpoint, (response) => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: [{ jsonrpc: '2.0', id: 'own', method: 'ping' }, response]
        .map((message) => `data: ${JSON.stringify(message)}\n\n`)
        .join(''),
    })),
  };
}

/** Replaces successful responses to requests that stand alone. */
const repliesToModern = (what: string, endpoint: Endpoint, replyWith: (response: Message) => Reply): Deviation => ({
  ...repliesWith(what, async (reply, ctx) => {
    if (postedIn(ctx, endpoint)?.id === undefined || !isModern(ctx) || reply.status !== 200) return undefined;
    return replyWith(await messageOf(reply));
  }),
  condition: endpoint.post,
});

/** Of whole responses and of sessions. */
function replyDeviations(endpoint: Endpoint): Record<string, Deviation> {
  return {
    '/accepted': changesReply('Returns 200 for a notification', endpoint, (reply) =>
      reply.status === 202 ? { status: 200, body: 'null' } : undefined,
    ),
    '/body': changesReply('Returns a body for a notification', endpoint, (reply) =>
      reply.status === 202
        ? { status: 202, headers: { 'content-type': 'application/json' }, body: '{"accepted":true}' }
        : undefined,
    ),
    '/unknown-notification': changesReply(
      'Responds to an unknown notification with an error and status 200',
      endpoint,
      (reply, { method = '' }) =>
        reply.status === 202 && !method.startsWith('notifications/')
          ? { ...JSON_REPLY, body: JSON.stringify(failure({}, -32_601)) }
          : undefined,
    ),
    '/get': respondsTo('get', 'Responds to GET with JSON', endpoint, { ...JSON_REPLY, body: '{"status":"ok"}' }),
    '/media-type': changesReply('Responds to ping as text/plain', endpoint, (reply, { method }) =>
      method === 'ping' ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } } : undefined,
    ),
    '/ends-all': endsSessions('Ends all sessions if one is ended', endpoint, (ctx, open) =>
      isFor(ctx, [endpoint.delete]) ? open : [],
    ),
    '/one-ping': endsSessions('Ends a session after its tools are listed', endpoint, (ctx) =>
      postedIn(ctx, endpoint)?.method === 'tools/list' ? [sessionOf(ctx)] : [],
    ),
    '/at-once': mixesUpIds(endpoint),
    '/ended-session': changesReply('Returns 400 for an ended session', endpoint, (reply, _, ctx) =>
      reply.status === 404 && sessionOf(ctx) !== '' ? { ...reply, status: 400 } : undefined,
    ),
    '/not-ended': respondsTo('delete', 'Returns 204 for DELETE and keeps the session', endpoint, {
      status: 204,
      body: '',
    }),
  };
}

/** By variant of the rule about the version header. */
export function versionHeaderDeviations(endpoint: Endpoint): Record<string, Deviation> {
  const ignoresHeader = (what: string, concerns: (version: string) => boolean): Deviation => ({
    what,
    effect: 'change headers',
    condition: endpoint.post,
    wrap: (app) => (ctx) => {
      const version = ctx.get(HEADER);
      if (!isFor(ctx, [endpoint.post]) || version === '' || !concerns(version)) return app(ctx);
      return runWithHeaders(app, ctx, { [HEADER]: NEWEST });
    },
  });
  return {
    '': ignoresHeader('Ignores the version header', () => true),
    dates: ignoresHeader('Accepts any date as version header', (version) => /^\d{4}-\d\d-\d\d$/.test(version)),
    beginning: ignoresHeader('Accepts version headers that start with a version', (version) =>
      version.startsWith(BEFORE),
    ),
    status: changesReply('Returns 406 for an invalid version header', endpoint, (reply) =>
      reply.status === 400 ? { ...reply, status: 406 } : undefined,
    ),
    modern: corrects('Accepts unknown versions as 2026-07-28', endpoint, ({ method, params }, ctx) =>
      isModern(ctx) || method === 'initialize' || params?.['_meta'] === undefined
        ? undefined
        : {
            headers: { [HEADER]: MODERN },
            body: { params: { ...params, _meta: { ...(params['_meta'] as object), [META_VERSION]: MODERN } } },
          },
    ),
    supported: changesReply('Omits the supported versions if it refuses one', endpoint, (reply, posted, ctx) =>
      reply.status === 400 && !isModern(ctx) && posted.params?.['_meta'] !== undefined
        ? { ...reply, body: JSON.stringify(failure(posted, -32_022)) }
        : undefined,
    ),
    method: corrects('Ignores the method in the headers', endpoint, ({ method = '' }, ctx) =>
      isModern(ctx) ? { headers: { 'mcp-method': method } } : undefined,
    ),
    tool: corrects('Ignores the name of a tool in the headers', endpoint, ({ params }, ctx) =>
      isModern(ctx) && typeof params?.['name'] === 'string' ? { headers: { 'mcp-name': params['name'] } } : undefined,
    ),
    'mismatch-code': changesReply(
      'Reports other headers than the body as an invalid request',
      endpoint,
      (reply, posted, ctx) =>
        reply.status === 400 && isModern(ctx)
          ? { ...reply, body: JSON.stringify(failure(posted, -32_600)) }
          : undefined,
    ),
  };
}

/** Replies as if another request had been sent. */
function corrects(
  what: string,
  endpoint: Endpoint,
  correction: (
    sent: Message,
    ctx: Context,
  ) => { readonly headers: Record<string, string>; readonly body?: object } | undefined,
): Deviation {
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
  return { what, effect: 'accept as corrected', condition: endpoint.post, wrap };
}

/** By variant of the rule about parse errors. */
export function parseErrorDeviations(endpoint: Endpoint): Record<string, Deviation> {
  const responds = (what: string, reply: Reply): Deviation => {
    const deviation = repliesWith(what, (_, ctx) =>
      isFor(ctx, [endpoint.post]) && postedIn(ctx, endpoint) === undefined && ctx.method === 'POST' ? reply : undefined,
    );
    return { ...deviation, condition: endpoint.post };
  };
  const json = (status: number, body: object): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const error = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: 'That is not JSON.' } });
  return {
    '': responds('Accepts a body that is not JSON', { status: 202, body: undefined }),
    code: responds('Reports a body that is not JSON as an invalid request', json(400, error(-32_600))),
    result: responds(
      'Responds to a body that is not JSON with a result',
      json(200, { jsonrpc: '2.0', id: null, result: {} }),
    ),
    '500': responds('Returns 500 for a body that is not JSON', { status: 500, body: 'Error' }),
  };
}

const JSON_REPLY = { status: 200, headers: { 'content-type': 'application/json' } } as const;

const respondsTo = (method: 'get' | 'delete', what: string, endpoint: Endpoint, reply: Reply): Deviation => ({
  what,
  effect: 'change response',
  condition: endpoint[method],
  wrap: (app) => async (ctx) => {
    if (isFor(ctx, [endpoint[method]])) ctx.state.reply = reply;
    else await app(ctx);
  },
});

const HEADER = 'mcp-protocol-version';

function lastWithout(tools: readonly object[]): object[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, inputSchema: undefined } : tool));
}

const refusesEventsFirst = (endpoint: Endpoint): Deviation => ({
  what: 'Returns 406 if Accept lists text/event-stream first',
  effect: 'refuse',
  condition: endpoint.post,
  wrap: (app) => async (ctx) => {
    await app(ctx);
    if (isFor(ctx, [endpoint.post]) && ctx.get('accept').startsWith('text/event-stream'))
      ctx.state.reply = { status: 406, body: failure({}, -32_000) };
  },
});

/** Stores the id in one place for all concurrent requests. */
function mixesUpIds(endpoint: Endpoint): Deviation {
  return statefulDeviation('Responds to simultaneous pings with the id of the last', (what) => {
    let last: Message['id'];
    const { wrap } = changesResponse(what, endpoint, (response, { method }) =>
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
    return { what, effect: 'mix up simultaneous requests', condition: endpoint.post, wrap: (app) => wrap(late(app)) };
  });
}
