/** Faults in how an MCP endpoint speaks streamable HTTP: of either endpoint. */
import { setTimeout as wait } from 'node:timers/promises';
import { anew } from '../anew.ts';
import { isFor, type App, type Deviation } from '../deviation.ts';
import {
  answersOtherwise,
  endsSessions,
  failure,
  postedIn,
  repliesOtherwise,
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
export function speakingFaults(endpoint: Endpoint): Record<string, Deviation> {
  const answers = (what: string, edit: Parameters<typeof answersOtherwise>[2]): Deviation =>
    answersOtherwise(what, endpoint, edit);
  return {
    '': answers('does not know ping', (answer, { method }) => (method === 'ping' ? failure(answer, -32_601) : answer)),
    '/digits': answers('answers an id of digits as a number', (answer, { id }) =>
      isText(id) && /^\d+$/.test(id) ? { ...answer, id: Number(id) } : answer,
    ),
    '/negative': answers('answers a negative id without its sign', (answer, { id }) =>
      typeof id === 'number' && id < 0 ? { ...answer, id: -id } : answer,
    ),
    '/long-id': answers('keeps 64 characters of an id', (answer, { id }) =>
      isText(id) ? { ...answer, id: id.slice(0, 64) } : answer,
    ),
    '/pong': answers('answers ping with a text', (answer, { method }) =>
      method === 'ping' ? { ...answer, result: 'pong' as never } : answer,
    ),
    '/large-ids': answers('cuts ids to 32 bits', (answer) =>
      isText(answer.id) ? answer : { ...answer, id: Number(answer.id) % 2 ** 32 },
    ),
    '/text-ids': answers('gives ids that are texts back in capitals', (answer) =>
      isText(answer.id) ? { ...answer, id: answer.id.toUpperCase() } : answer,
    ),
    '/version': answers(
      'chooses a version that it does not choose when it is offered',
      (answer, { method, params }) => {
        if (method !== 'initialize') return answer;
        return resultWith(answer, { protocolVersion: params?.['protocolVersion'] === NEWEST ? BEFORE : NEWEST });
      },
    ),
    '/version-number': answers('chooses protocol version 1.0', (answer, { method }) =>
      method === 'initialize' ? resultWith(answer, { protocolVersion: '1.0' }) : answer,
    ),
    '/nameless': answers('does not say what server it is', (answer, { method }) =>
      method === 'initialize' ? resultWith(answer, { serverInfo: undefined }) : answer,
    ),
    '/schema': answers('lists its last tool without an input schema', (answer, { method }) =>
      method === 'tools/list'
        ? resultWith(answer, { tools: lastWithout(answer.result?.['tools'] as object[]) })
        : answer,
    ),
    '/pages': answers('has a next page of tools for ever', (answer, { method }) =>
      method === 'tools/list' ? resultWith(answer, { nextCursor: 'more' }) : answer,
    ),
    '/accepted': repliesOtherwise('answers a notification with 200', endpoint, (reply) =>
      reply.status === 202 ? { status: 200, body: 'null' } : undefined,
    ),
    '/media-type': repliesOtherwise('answers ping as text/plain', endpoint, (reply, { method }) =>
      method === 'ping' ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } } : undefined,
    ),
    '/ends-all': endsSessions('ends all sessions when one is ended', endpoint, (ctx, open) =>
      isFor(ctx, [endpoint.delete]) ? open : [],
    ),
    '/one-ping': endsSessions('ends a session once its tools were listed', endpoint, (ctx) =>
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
  return anew('answers pings that come at once with the id of the last one', (what) => {
    let last: Message['id'];
    const { wrap } = answersOtherwise(what, endpoint, (answer, { method }) =>
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
