/** Deviations of streamable HTTP, for both MCP endpoints. */
import { setTimeout as wait } from 'node:timers/promises';
import { statefulDeviation } from '../stateful-deviation.ts';
import { isFor, type App, type Deviation } from '../deviation.ts';
import {
  changesResponse,
  endsSessions,
  failure,
  postedIn,
  changesReply,
  sessionOf,
  type Endpoint,
  type Message,
} from './messages.ts';

const isText = (id: Message['id']): id is string => typeof id === 'string';
const [NEWEST, BEFORE] = ['2025-11-25', '2025-06-18'];

const resultWith = (answer: Message, members: object): Message => ({
  ...answer,
  result: { ...answer.result, ...members },
});

/** By variant of the rule. */
export function streamableHttpDeviations(endpoint: Endpoint): Record<string, Deviation> {
  const answers = (what: string, edit: Parameters<typeof changesResponse>[2]): Deviation =>
    changesResponse(what, endpoint, edit);
  return {
    '': answers('Does not support ping', (answer, { method }) =>
      method === 'ping' ? failure(answer, -32_601) : answer,
    ),
    '/digits': answers('Returns an id of digits as a number', (answer, { id }) =>
      isText(id) && /^\d+$/.test(id) ? { ...answer, id: Number(id) } : answer,
    ),
    '/negative': answers('Returns a negative id without its sign', (answer, { id }) =>
      typeof id === 'number' && id < 0 ? { ...answer, id: -id } : answer,
    ),
    '/long-id': answers('Truncates ids to 64 characters', (answer, { id }) =>
      isText(id) ? { ...answer, id: id.slice(0, 64) } : answer,
    ),
    '/pong': answers('Returns a string for ping', (answer, { method }) =>
      method === 'ping' ? { ...answer, result: 'pong' as never } : answer,
    ),
    '/large-ids': answers('Truncates ids to 32 bits', (answer) =>
      isText(answer.id) ? answer : { ...answer, id: Number(answer.id) % 2 ** 32 },
    ),
    '/text-ids': answers('Returns string ids in upper case', (answer) =>
      isText(answer.id) ? { ...answer, id: answer.id.toUpperCase() } : answer,
    ),
    '/version': answers(
      'Chooses a version that it does not choose when the client offers it',
      (answer, { method, params }) => {
        if (method !== 'initialize') return answer;
        return resultWith(answer, { protocolVersion: params?.['protocolVersion'] === NEWEST ? BEFORE : NEWEST });
      },
    ),
    '/version-number': answers('Chooses protocol version 1.0', (answer, { method }) =>
      method === 'initialize' ? resultWith(answer, { protocolVersion: '1.0' }) : answer,
    ),
    '/nameless': answers('Omits its server info', (answer, { method }) =>
      method === 'initialize' ? resultWith(answer, { serverInfo: undefined }) : answer,
    ),
    '/schema': answers('Lists its last tool without an input schema', (answer, { method }) =>
      method === 'tools/list'
        ? resultWith(answer, { tools: lastWithout(answer.result?.['tools'] as object[]) })
        : answer,
    ),
    '/pages': answers('Returns an endless list of tools', (answer, { method }) =>
      method === 'tools/list' ? resultWith(answer, { nextCursor: 'more' }) : answer,
    ),
    '/accepted': changesReply('Returns 200 for a notification', endpoint, (reply) =>
      reply.status === 202 ? { status: 200, body: 'null' } : undefined,
    ),
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
  };
}

function lastWithout(tools: readonly object[]): object[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, inputSchema: undefined } : tool));
}

/** Keeps the id beside the request, in one place for all that are on their way. */
function mixesUpIds(endpoint: Endpoint): Deviation {
  return statefulDeviation('Responds to simultaneous pings with the id of the last', (what) => {
    let last: Message['id'];
    const { wrap } = changesResponse(what, endpoint, (answer, { method }) =>
      method === 'ping' && last !== undefined ? { ...answer, id: last } : answer,
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
    return { what, wrap: (app) => wrap(late(app)) };
  });
}
