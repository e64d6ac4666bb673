/** Deviations of the MCP servers of functions: tool calls and unknown methods. */
import { deviationsOf } from '../table.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { askedWithBody, isFor, sentBody, type App, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { changesResponse, endsSessions, failure, postedIn, changesReply, sessionOf, type Message } from './messages.ts';
import { streamableHttpDeviations } from './streamable-http.ts';

const endpoint = { post: 'postFunctionMcp', get: 'getFunctionMcp', delete: 'deleteFunctionMcp' } as const;

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

const toolsIn = ({ result }: Message): Tool[] => (result?.['tools'] ?? []) as Tool[];
const nameIn = ({ params }: Message): unknown => params?.['name'];
const argumentsIn = ({ params }: Message): unknown[] => Object.values(params?.['arguments'] ?? {});

function calls(what: string, edit: (answer: Message, call: Message) => Message): Deviation {
  return changesResponse(what, endpoint, (answer, request) =>
    request.method === 'tools/call' ? edit(answer, request) : answer,
  );
}

const toolDeviations: Deviations = deviationsOf({
  'mcp.functions.listed-tools-callable': {
    '': calls('Reports the failure of a tool as a protocol error', (answer) =>
      answer.result?.['isError'] === true ? failure(answer, -32_603) : answer,
    ),
    numbers: calls('Refuses numbers as arguments', (answer, call) =>
      argumentsIn(call).some((value) => typeof value === 'number') ? failure(answer, -32_602) : answer,
    ),
    structured: calls('Omits structured results', (answer) =>
      answer.result?.['structuredContent'] === undefined ? answer : { jsonrpc: '2.0', id: answer.id! },
    ),
    last: knowing('Does not support the last tool that it lists', (names) => names.slice(0, -1)),
    pages: inPages('Does not support tools beyond the first page of its list'),
    optional: changesResponse('Refuses an optional argument that it lists', endpoint, (answer, request) => {
      if (request.method === 'tools/list')
        return { ...answer, result: { ...answer.result, tools: toolsIn(answer).map(withOptional) } };
      return argumentsIn(request).includes(true) ? failure(answer, -32_602) : answer;
    }),
    once: statefulDeviation('Accepts one tool call per session', (what) => {
      const called = new Set<string>();
      return changesResponse(what, endpoint, (answer, { method }, ctx) => {
        if (method !== 'tools/call') return answer;
        const isFirst = !called.has(sessionOf(ctx));
        called.add(sessionOf(ctx));
        return isFirst ? answer : failure(answer, -32_603);
      });
    }),
  },
});

function withOptional(tool: Tool): Tool {
  const verbose = { type: 'boolean', default: true };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, verbose } } };
}

/** `known` picks, of the names listed last, those that can be called. */
function knowing(what: string, known: (names: readonly string[]) => readonly string[]): Deviation {
  return statefulDeviation(what, () => {
    let names: readonly string[] = [];
    return changesResponse(what, endpoint, (answer, request) => {
      if (request.method === 'tools/list') names = toolsIn(answer).map(({ name }) => name);
      const isUnknown = request.method === 'tools/call' && !known(names).some((name) => name === nameIn(request));
      return isUnknown ? failure(answer, -32_602) : answer;
    });
  });
}

const PAGE = 2;

function inPages(what: string): Deviation {
  return statefulDeviation(what, () => {
    let first: readonly string[] = [];
    return changesResponse(what, endpoint, (answer, request) => {
      const isUnknown = request.method === 'tools/call' && !first.some((name) => name === nameIn(request));
      if (request.method !== 'tools/list') return isUnknown ? failure(answer, -32_602) : answer;
      const from = Number(request.params?.['cursor'] ?? 0);
      const tools = toolsIn(answer).slice(from, from + PAGE);
      if (from === 0) first = tools.map(({ name }) => name);
      const hasMore = from + PAGE < toolsIn(answer).length;
      return { ...answer, result: { tools, ...(hasMore && { nextCursor: String(from + PAGE) }) } };
    });
  });
}

/** A fault in answers that are -32601. */
function unknown(what: string, edit: (answer: Message, request: Message) => Message): Deviation {
  return changesResponse(what, endpoint, (answer, request) =>
    answer.error?.code === -32_601 ? edit(answer, request) : answer,
  );
}

/** Answers as the method that it takes this one for. */
function knows(what: string, takenFor: (method: string) => string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const sent = isFor(ctx, [endpoint.post]) ? ((await sentBody(ctx)) as Message | undefined) : undefined;
      const method = takenFor(sent?.method ?? '');
      await (['ping', 'tools/list'].includes(method) ? askedWithBody(app, ctx, { ...sent, method }) : app(ctx));
    };
  return { what, wrap };
}

const isBelow = ({ method = '' }: Message, word: string): boolean => method.startsWith(`${word}/`);

const methodDeviations: Deviations = deviationsOf({
  'mcp.functions.unknown-method': {
    '': unknown('Reports an unknown method as an invalid request', (answer) => failure(answer, -32_600)),
    tools: unknown('Reports an unknown tools method as invalid parameters', (answer, request) =>
      isBelow(request, 'tools') ? failure(answer, -32_602) : answer,
    ),
    parameters: unknown('Reports an unknown method with parameters as invalid parameters', (answer, { params }) =>
      params === undefined ? answer : failure(answer, -32_602),
    ),
    result: unknown('Responds to an unknown notification with an empty result', (answer, request) =>
      isBelow(request, 'notifications') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    prefix: unknown('Responds to methods that start with ping as to ping', (answer, { method = '' }) =>
      method.startsWith('ping') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    suffix: unknown('Responds to methods that end with /ping as to ping', (answer, { method = '' }) =>
      method.endsWith('/ping') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    text: unknown('Returns the code of an unknown method as a string', (answer) => failure(answer, '-32601')),
    'letter-case': knows('Accepts methods in any letter case', (method) => method.toLowerCase()),
    slash: knows('Ignores a slash after a method', (method) => method.replace(/\/$/, '')),
    punctuation: knows('Treats any punctuation as a slash', (method) => method.replace(/[._]/, '/')),
    'text-id': unknown('Reports an unknown method as an invalid request if the id is a string', (answer, { id }) =>
      typeof id === 'string' ? failure(answer, -32_600) : answer,
    ),
    'no-id': unknown('Omits the id from the error', (answer) => ({
      ...answer,
      id: null,
    })),
    http: changesReply('Returns 404 for a method without a slash', endpoint, (_, { id, method = '' }) =>
      id === undefined || method === 'initialize' || method.includes('/')
        ? undefined
        : { status: 404, body: 'Not found', headers: { 'content-type': 'text/plain' } },
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

export const functionsDeviations: Deviations = merged(speaking, toolDeviations, methodDeviations);
