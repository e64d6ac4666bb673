/** Deviations of the MCP servers of functions: tool calls and unknown methods. */
import { runWithBody, isFor, sentBody, stateful, type App, type Fault } from '../deviation.ts';
import type { Context } from '../../pipeline/context.ts';
import { merged, type Table } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import {
  changesModern,
  changesReply,
  changesResponse,
  failure,
  isModern,
  postedIn,
  resultWith,
  sessionOf,
  type Endpoint,
  type Message,
} from './messages.ts';
import { streamableHttpDeviations } from './streamable-http.ts';

export const functionEndpoint = {
  post: 'postFunctionMcp',
  get: 'getFunctionMcp',
  delete: 'deleteFunctionMcp',
} as const;
const endpoint = functionEndpoint;
const JSON_HEADERS = { 'content-type': 'application/json' };

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

const toolsIn = ({ result }: Message): Tool[] => (result?.['tools'] ?? []) as Tool[];
const nameIn = ({ params }: Message): unknown => params?.['name'];
const argumentsIn = ({ params }: Message): unknown[] => Object.values(params?.['arguments'] ?? {});

function calls(edit: (response: Message, call: Message) => Message): Fault {
  return changesResponse(endpoint, (response, request) =>
    request.method === 'tools/call' ? edit(response, request) : response,
  );
}

const toolDeviations: Table = {
  'mcp.functions.listed-tools-callable': {
    'reports the failure of a tool as a protocol error': calls((response) =>
      response.result?.['isError'] === true ? failure(response, -32_603) : response,
    ),
    'fails if an argument is a number': calls((response, call) =>
      argumentsIn(call).some((value) => typeof value === 'number') ? failure(response, -32_603) : response,
    ),
    'omits structured results': calls((response) =>
      response.result?.['structuredContent'] === undefined ? response : { jsonrpc: '2.0', id: response.id! },
    ),
    'omits content': calls((response) => resultWith(response, { content: undefined })),
    'returns numbers as text': calls((response) => resultWith(response, { content: [{ type: 'text', text: 5 }] })),
    'omits content for clients of version 2026-07-28': changesModern(endpoint, (response, { method }) =>
      method === 'tools/call' ? { ...response, result: { ...response.result, content: undefined } } : response,
    ),
    'loses the response to a call if another session sends a request meanwhile': mixesUpSessions(endpoint, 'call'),
    'responds to a request with the result of a simultaneous call': mixesUpSessions(endpoint, 'other request'),
    'exchanges the responses to simultaneous requests of version 2026-07-28 with the same id': routesById(
      endpoint,
      'each other',
    ),
    'loses the response to a call of version 2026-07-28 if another client uses its id meanwhile': routesById(
      endpoint,
      'the latest',
    ),
    'does not support the last tool that it lists': knowing((names) => names.slice(0, -1)),
    'does not support tools beyond the first page of its list': inPages(),
    'refuses an optional argument that it lists': changesResponse(endpoint, (response, request) => {
      if (request.method === 'tools/list')
        return { ...response, result: { ...response.result, tools: toolsIn(response).map(withOptional) } };
      return argumentsIn(request).includes(true) ? failure(response, -32_602) : response;
    }),
    'accepts one tool call per session': stateful(() => {
      const called = new Set<string>();
      return changesResponse(endpoint, (response, { method }, ctx) => {
        if (method !== 'tools/call') return response;
        const isFirst = !called.has(sessionOf(ctx));
        called.add(sessionOf(ctx));
        return isFirst ? response : failure(response, -32_603);
      });
    }),
  },
};

const succeeds = (response: Message): Message => ({ jsonrpc: '2.0', id: response.id!, result: { content: [] } });
const hasFailed = ({ error, result }: Message): boolean => error !== undefined || result?.['isError'] === true;

const inputDeviations: Table = {
  'mcp.functions.unknown-tool': {
    'succeeds for a tool that it does not have': calls((response, call) =>
      hasFailed(response) && String(nameIn(call)).includes('assay') ? succeeds(response) : response,
    ),
    'succeeds for a tool named like a member of every object': calls((response, call) =>
      String(nameIn(call)) in {} ? succeeds(response) : response,
    ),
    'succeeds for names that start with one of a tool': calls((response, call) =>
      hasFailed(response) && /.-assay$/.test(String(nameIn(call))) ? succeeds(response) : response,
    ),
  },
  'mcp.functions.tool-inputs-validated': {
    'succeeds without required arguments': calls((response) => (hasFailed(response) ? succeeds(response) : response)),
    'succeeds without arguments': calls((response, call) =>
      argumentsIn(call).length === 0 ? succeeds(response) : response,
    ),
  },
};

/** How long a call takes, so that requests of other sessions overlap with it. */
const CALL_MS = 400;

const LOST = { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': lost\n\n' } as const;

/** If a session sends a request during a call of another one, one of the two gets the wrong response. */
export function mixesUpSessions(server: Endpoint, victim: 'call' | 'other request'): Fault {
  return stateful(() => {
    /** By the session that calls: whether another one has sent a request meanwhile. */
    const pending = new Map<string, boolean>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        await app(ctx);
        const posted = postedIn(ctx, server);
        const own = sessionOf(ctx);
        if (posted?.id === undefined || own === '') return;
        const callers = [...pending.keys()].filter((session) => session !== own);
        for (const session of callers) pending.set(session, true);
        if (victim === 'other request' && callers.length > 0)
          ctx.state.reply = { status: 200, headers: JSON_HEADERS, body: JSON.stringify(succeeds(posted)) };
        if (posted.method !== 'tools/call') return;
        pending.set(own, false);
        await wait(CALL_MS);
        if (victim === 'call' && pending.get(own) === true) ctx.state.reply = LOST;
        pending.delete(own);
      };
    return { kind: 'mix up simultaneous requests', condition: server.post, wrap };
  });
}

/**
 * Of requests that stand alone: finds the one that a response belongs to by its id alone. During a call, another request with its
 * id exchanges responses with it, or is taken for it: then the response to the call is lost.
 */
export function routesById(server: Endpoint, to: 'each other' | 'the latest'): Fault {
  return stateful(() => {
    const running = new Map<Message['id'], Context>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        await app(ctx);
        const posted = postedIn(ctx, server);
        if (posted?.id === undefined || !isModern(ctx)) return;
        const call = running.get(posted.id);
        if (call !== undefined) {
          const [own, ofCall] = [ctx.state.reply!, call.state.reply!];
          if (to === 'each other') ctx.state.reply = ofCall;
          call.state.reply = to === 'each other' ? own : LOST;
          running.delete(posted.id);
        } else if (posted.method === 'tools/call') {
          running.set(posted.id, ctx);
          await wait(CALL_MS);
          running.delete(posted.id);
        }
      };
    return { kind: 'mix up simultaneous requests', condition: server.post, wrap };
  });
}

function withOptional(tool: Tool): Tool {
  const verbose = { type: 'boolean', default: true };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, verbose } } };
}

/** `known` picks, of the names listed last, those that can be called. */
function knowing(known: (names: readonly string[]) => readonly string[]): Fault {
  return stateful(() => {
    let names: readonly string[] = [];
    return changesResponse(endpoint, (response, request) => {
      if (request.method === 'tools/list') names = toolsIn(response).map(({ name }) => name);
      const isUnknown = request.method === 'tools/call' && !known(names).some((name) => name === nameIn(request));
      return isUnknown ? unknownTool(response, request) : response;
    });
  });
}

const unknownTool = (response: Message, request: Message): Message => ({
  ...failure(response, -32_602),
  error: { code: -32_602, message: `Unknown tool: ${String(nameIn(request))}` },
});

const PAGE = 2;

function inPages(): Fault {
  return stateful(() => {
    let first: readonly string[] = [];
    return changesResponse(endpoint, (response, request) => {
      const isUnknown = request.method === 'tools/call' && !first.some((name) => name === nameIn(request));
      if (request.method !== 'tools/list') return isUnknown ? unknownTool(response, request) : response;
      const from = Number(request.params?.['cursor'] ?? 0);
      const tools = toolsIn(response).slice(from, from + PAGE);
      if (from === 0) first = tools.map(({ name }) => name);
      const hasMore = from + PAGE < toolsIn(response).length;
      return { ...response, result: { tools, ...(hasMore && { nextCursor: String(from + PAGE) }) } };
    });
  });
}

/** A deviation in responses with error -32601. */
function unknown(edit: (response: Message, request: Message) => Message): Fault {
  return changesResponse(endpoint, (response, request) =>
    response.error?.code === -32_601 ? edit(response, request) : response,
  );
}

/** Responds like another method. */
function knows(takenFor: (method: string) => string): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = isFor(ctx, [endpoint.post]) ? ((await sentBody(ctx)) as Message | undefined) : undefined;
      const method = typeof sent?.method === 'string' ? takenFor(sent.method) : '';
      await (['ping', 'tools/list'].includes(method) ? runWithBody(app, ctx, { ...sent, method }) : app(ctx));
    };
  return { kind: 'accept as corrected', condition: endpoint.post, wrap };
}

const isBelow = ({ method = '' }: Message, word: string): boolean => method.startsWith(`${word}/`);

const isUnknown = ({ id, method = '' }: Message): boolean => id !== undefined && method.includes('assay');

const methodDeviations: Table = {
  'mcp.functions.unknown-method': {
    'reports an unknown method as an invalid request': unknown((response) => failure(response, -32_600)),
    'reports an unknown tools method as invalid parameters': unknown((response, request) =>
      isBelow(request, 'tools') ? failure(response, -32_602) : response,
    ),
    'reports an unknown method with parameters as invalid parameters': unknown((response, { params }) =>
      params === undefined ? response : failure(response, -32_602),
    ),
    'responds to an unknown notification with an empty result': unknown((response, request) =>
      isBelow(request, 'notifications') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    'responds to methods that start with ping as to ping': unknown((response, { method = '' }) =>
      method.startsWith('ping') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    'responds to methods that end with /ping as to ping': unknown((response, { method = '' }) =>
      method.endsWith('/ping') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    'returns the code of an unknown method as a string': unknown((response) => failure(response, '-32601')),
    'accepts methods in any letter case': knows((method) => method.toLowerCase()),
    'ignores a slash after a method': knows((method) => method.replace(/\/$/, '')),
    'treats any punctuation as a slash': knows((method) => method.replace(/[._]/, '/')),
    'reports an unknown method as an invalid request if the id is a string': unknown((response, { id }) =>
      typeof id === 'string' ? failure(response, -32_600) : response,
    ),
    'omits the message of the error': unknown(({ error, ...response }) => ({
      ...response,
      error: { code: error!.code } as never,
    })),
    'omits the id from the error': unknown((response) => ({
      ...response,
      id: null,
    })),
    'returns 500 and another error for a method without a slash': changesReply(endpoint, (_, { id, method = '' }) =>
      id === undefined || method === 'initialize' || method.includes('/')
        ? undefined
        : { status: 500, body: JSON.stringify(failure({}, -32_603)), headers: JSON_HEADERS },
    ),
    'returns 400 and the code of an invalid request': changesReply(endpoint, (reply, posted, ctx) =>
      isModern(ctx) || !isUnknown(posted) || reply.status !== 200
        ? undefined
        : { status: 400, body: JSON.stringify(failure({}, -32_600)), headers: JSON_HEADERS },
    ),
    'returns 200 for an unknown method of version 2026-07-28': changesReply(endpoint, (reply, _, ctx) =>
      isModern(ctx) && reply.status === 404 ? { ...reply, status: 200 } : undefined,
    ),
    'returns 404 and text for an unknown method of version 2026-07-28': changesReply(endpoint, (reply, _, ctx) =>
      isModern(ctx) && reply.status === 404
        ? { status: 404, body: 'Not found', headers: { 'content-type': 'text/plain' } }
        : undefined,
    ),
    'reports an unknown method of version 2026-07-28 as an invalid request': changesReply(
      endpoint,
      (reply, posted, ctx) =>
        isModern(ctx) && reply.status === 404
          ? { ...reply, body: JSON.stringify(failure(posted, -32_600)) }
          : undefined,
    ),
  },
};

const speaking: Table = { 'mcp.functions.speaks-streamable-http': streamableHttpDeviations(endpoint) };

export const functionsDeviations: Table = merged(speaking, toolDeviations, inputDeviations, methodDeviations);
