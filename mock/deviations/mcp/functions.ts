/** Deviations of the MCP servers of functions: tool calls and unknown methods. */
import { deviationsOf } from '../table.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { runWithBody, isFor, sentBody, type App, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { setTimeout as wait } from 'node:timers/promises';
import {
  changesModern,
  changesReply,
  changesResponse,
  endsSessions,
  failure,
  isModern,
  postedIn,
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

function calls(what: string, edit: (response: Message, call: Message) => Message): Deviation {
  return changesResponse(what, endpoint, (response, request) =>
    request.method === 'tools/call' ? edit(response, request) : response,
  );
}

const toolDeviations: Deviations = deviationsOf({
  'mcp.functions.listed-tools-callable': {
    '': calls('Reports the failure of a tool as a protocol error', (response) =>
      response.result?.['isError'] === true ? failure(response, -32_603) : response,
    ),
    numbers: calls('Refuses numbers as arguments', (response, call) =>
      argumentsIn(call).some((value) => typeof value === 'number') ? failure(response, -32_602) : response,
    ),
    structured: calls('Omits structured results', (response) =>
      response.result?.['structuredContent'] === undefined ? response : { jsonrpc: '2.0', id: response.id! },
    ),
    content: calls('Omits content', (response) => ({
      ...response,
      result: { ...response.result, content: undefined },
    })),
    'text-as-number': calls('Returns numbers as text', (response) => ({
      ...response,
      result: { ...response.result, content: [{ type: 'text', text: 5 }] },
    })),
    'modern-content': changesModern(
      'Omits content for clients of version 2026-07-28',
      endpoint,
      (response, { method }) =>
        method === 'tools/call' ? { ...response, result: { ...response.result, content: undefined } } : response,
    ),
    'other-session': mixesUpSessions(
      'Loses the response to a call if another session sends a request meanwhile',
      endpoint,
      'call',
    ),
    'same-id': mixesUpSessions(
      'Responds to a request with the result of a simultaneous call',
      endpoint,
      'other request',
    ),
    last: knowing('Does not support the last tool that it lists', (names) => names.slice(0, -1)),
    pages: inPages('Does not support tools beyond the first page of its list'),
    optional: changesResponse('Refuses an optional argument that it lists', endpoint, (response, request) => {
      if (request.method === 'tools/list')
        return { ...response, result: { ...response.result, tools: toolsIn(response).map(withOptional) } };
      return argumentsIn(request).includes(true) ? failure(response, -32_602) : response;
    }),
    once: statefulDeviation('Accepts one tool call per session', (what) => {
      const called = new Set<string>();
      return changesResponse(what, endpoint, (response, { method }, ctx) => {
        if (method !== 'tools/call') return response;
        const isFirst = !called.has(sessionOf(ctx));
        called.add(sessionOf(ctx));
        return isFirst ? response : failure(response, -32_603);
      });
    }),
  },
});

const succeeds = (response: Message): Message => ({ jsonrpc: '2.0', id: response.id!, result: { content: [] } });
const hasFailed = ({ error, result }: Message): boolean => error !== undefined || result?.['isError'] === true;

const inputDeviations: Deviations = deviationsOf({
  'mcp.functions.unknown-tool': {
    '': calls('Succeeds for a tool that it does not have', (response, call) =>
      hasFailed(response) && String(nameIn(call)).includes('assay') ? succeeds(response) : response,
    ),
    inherited: calls('Succeeds for a tool named like a member of every object', (response, call) =>
      String(nameIn(call)) in {} ? succeeds(response) : response,
    ),
    prefix: calls('Succeeds for names that start with one of a tool', (response, call) =>
      hasFailed(response) && /.-assay$/.test(String(nameIn(call))) ? succeeds(response) : response,
    ),
  },
  'mcp.functions.tool-inputs-validated': {
    '': calls('Succeeds without required arguments', (response) =>
      hasFailed(response) ? succeeds(response) : response,
    ),
    none: calls('Succeeds without arguments', (response, call) =>
      argumentsIn(call).length === 0 ? succeeds(response) : response,
    ),
  },
});

/** How long a call takes, so that requests of other sessions overlap with it. */
const CALL_MS = 400;

/** If a session sends a request during a call of another one, one of the two gets the wrong response. */
export function mixesUpSessions(what: string, server: Endpoint, victim: 'call' | 'other request'): Deviation {
  return statefulDeviation(what, () => {
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
        if (victim === 'call' && pending.get(own) === true)
          ctx.state.reply = { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': lost\n\n' };
        pending.delete(own);
      };
    return { what, effect: 'mix up simultaneous requests', condition: server.post, wrap };
  });
}

function withOptional(tool: Tool): Tool {
  const verbose = { type: 'boolean', default: true };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, verbose } } };
}

/** `known` picks, of the names listed last, those that can be called. */
function knowing(what: string, known: (names: readonly string[]) => readonly string[]): Deviation {
  return statefulDeviation(what, () => {
    let names: readonly string[] = [];
    return changesResponse(what, endpoint, (response, request) => {
      if (request.method === 'tools/list') names = toolsIn(response).map(({ name }) => name);
      const isUnknown = request.method === 'tools/call' && !known(names).some((name) => name === nameIn(request));
      return isUnknown ? failure(response, -32_602) : response;
    });
  });
}

const PAGE = 2;

function inPages(what: string): Deviation {
  return statefulDeviation(what, () => {
    let first: readonly string[] = [];
    return changesResponse(what, endpoint, (response, request) => {
      const isUnknown = request.method === 'tools/call' && !first.some((name) => name === nameIn(request));
      if (request.method !== 'tools/list') return isUnknown ? failure(response, -32_602) : response;
      const from = Number(request.params?.['cursor'] ?? 0);
      const tools = toolsIn(response).slice(from, from + PAGE);
      if (from === 0) first = tools.map(({ name }) => name);
      const hasMore = from + PAGE < toolsIn(response).length;
      return { ...response, result: { tools, ...(hasMore && { nextCursor: String(from + PAGE) }) } };
    });
  });
}

/** A deviation in responses with error -32601. */
function unknown(what: string, edit: (response: Message, request: Message) => Message): Deviation {
  return changesResponse(what, endpoint, (response, request) =>
    response.error?.code === -32_601 ? edit(response, request) : response,
  );
}

/** Responds like another method. */
function knows(what: string, takenFor: (method: string) => string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = isFor(ctx, [endpoint.post]) ? ((await sentBody(ctx)) as Message | undefined) : undefined;
      const method = takenFor(sent?.method ?? '');
      await (['ping', 'tools/list'].includes(method) ? runWithBody(app, ctx, { ...sent, method }) : app(ctx));
    };
  return { what, effect: 'accept as corrected', condition: endpoint.post, wrap };
}

const isBelow = ({ method = '' }: Message, word: string): boolean => method.startsWith(`${word}/`);

const isUnknown = ({ id, method = '' }: Message): boolean => id !== undefined && method.includes('assay');

const methodDeviations: Deviations = deviationsOf({
  'mcp.functions.unknown-method': {
    '': unknown('Reports an unknown method as an invalid request', (response) => failure(response, -32_600)),
    tools: unknown('Reports an unknown tools method as invalid parameters', (response, request) =>
      isBelow(request, 'tools') ? failure(response, -32_602) : response,
    ),
    parameters: unknown('Reports an unknown method with parameters as invalid parameters', (response, { params }) =>
      params === undefined ? response : failure(response, -32_602),
    ),
    result: unknown('Responds to an unknown notification with an empty result', (response, request) =>
      isBelow(request, 'notifications') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    prefix: unknown('Responds to methods that start with ping as to ping', (response, { method = '' }) =>
      method.startsWith('ping') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    suffix: unknown('Responds to methods that end with /ping as to ping', (response, { method = '' }) =>
      method.endsWith('/ping') ? { jsonrpc: '2.0', id: response.id!, result: {} } : response,
    ),
    text: unknown('Returns the code of an unknown method as a string', (response) => failure(response, '-32601')),
    'letter-case': knows('Accepts methods in any letter case', (method) => method.toLowerCase()),
    slash: knows('Ignores a slash after a method', (method) => method.replace(/\/$/, '')),
    punctuation: knows('Treats any punctuation as a slash', (method) => method.replace(/[._]/, '/')),
    'text-id': unknown('Reports an unknown method as an invalid request if the id is a string', (response, { id }) =>
      typeof id === 'string' ? failure(response, -32_600) : response,
    ),
    'no-message': unknown('Omits the message of the error', ({ error, ...response }) => ({
      ...response,
      error: { code: error!.code } as never,
    })),
    'no-id': unknown('Omits the id from the error', (response) => ({
      ...response,
      id: null,
    })),
    http: changesReply('Returns 500 for a method without a slash', endpoint, (_, { id, method = '' }) =>
      id === undefined || method === 'initialize' || method.includes('/')
        ? undefined
        : { status: 500, body: 'Error', headers: { 'content-type': 'text/plain' } },
    ),
    'http-code': changesReply('Returns 400 and the code of an invalid request', endpoint, (reply, posted, ctx) =>
      isModern(ctx) || !isUnknown(posted) || reply.status !== 200
        ? undefined
        : { status: 400, body: JSON.stringify(failure({}, -32_600)), headers: JSON_HEADERS },
    ),
    'modern-status': changesReply(
      'Returns 200 for an unknown method of version 2026-07-28',
      endpoint,
      (reply, _, ctx) => (isModern(ctx) && reply.status === 404 ? { ...reply, status: 200 } : undefined),
    ),
    'modern-text': changesReply(
      'Returns 404 and text for an unknown method of version 2026-07-28',
      endpoint,
      (reply, _, ctx) =>
        isModern(ctx) && reply.status === 404
          ? { status: 404, body: 'Not found', headers: { 'content-type': 'text/plain' } }
          : undefined,
    ),
    'modern-code': changesReply(
      'Reports an unknown method of version 2026-07-28 as an invalid request',
      endpoint,
      (reply, posted, ctx) =>
        isModern(ctx) && reply.status === 404
          ? { ...reply, body: JSON.stringify(failure(posted, -32_600)) }
          : undefined,
    ),
    ends: statefulDeviation('Ends a session at its tenth unknown method', (what) => {
      let refused = 0;
      const isAnother = (method = ''): boolean => method.includes('assay') && (refused += 1) >= 10;
      return endsSessions(what, endpoint, (ctx) =>
        isAnother(postedIn(ctx, endpoint)?.method) ? [sessionOf(ctx)] : [],
      );
    }),
  },
});

const speaking: Deviations = Object.fromEntries(
  Object.entries(streamableHttpDeviations(endpoint)).map(([variant, fault]) => [
    `mcp.functions.speaks-streamable-http${variant}`,
    fault,
  ]),
);

export const functionsDeviations: Deviations = merged(speaking, toolDeviations, inputDeviations, methodDeviations);
