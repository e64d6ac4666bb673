/** Faults of the MCP servers of functions: in calls of tools, and in what they say of methods they do not know. */
import { deviationsOf } from '../table.ts';
import { anew } from '../anew.ts';
import { askedWithBody, isFor, sentBody, type App, type Deviation, type Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import {
  answersOtherwise,
  endsSessions,
  failure,
  postedIn,
  repliesOtherwise,
  sessionOf,
  type Message,
} from './messages.ts';
import { speakingFaults } from './speaking.ts';

const endpoint = { post: 'postFunctionMcp', get: 'getFunctionMcp', delete: 'deleteFunctionMcp' } as const;

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

const toolsIn = ({ result }: Message): Tool[] => (result?.['tools'] ?? []) as Tool[];
const nameIn = ({ params }: Message): unknown => params?.['name'];
const argumentsIn = ({ params }: Message): unknown[] => Object.values(params?.['arguments'] ?? {});

function calls(what: string, edit: (answer: Message, call: Message) => Message): Deviation {
  return answersOtherwise(what, endpoint, (answer, request) =>
    request.method === 'tools/call' ? edit(answer, request) : answer,
  );
}

const toolDeviations: Deviations = deviationsOf({
  'mcp.functions.listed-tools-callable': {
    '': calls('reports a failure of a tool as one of the protocol', (answer) =>
      answer.result?.['isError'] === true ? failure(answer, -32_603) : answer,
    ),
    numbers: calls('takes numbers for bad arguments', (answer, call) =>
      argumentsIn(call).some((value) => typeof value === 'number') ? failure(answer, -32_602) : answer,
    ),
    structured: calls('leaves the result out where it has a structure', (answer) =>
      answer.result?.['structuredContent'] === undefined ? answer : { jsonrpc: '2.0', id: answer.id! },
    ),
    last: knowing('does not know the last tool it lists', (names) => names.slice(0, -1)),
    pages: inPages('knows no tool that it lists beyond the first page'),
    optional: answersOtherwise(
      'lists an optional argument of its tools and refuses it',
      endpoint,
      (answer, request) => {
        if (request.method === 'tools/list')
          return { ...answer, result: { ...answer.result, tools: toolsIn(answer).map(withOptional) } };
        return argumentsIn(request).includes(true) ? failure(answer, -32_602) : answer;
      },
    ),
    once: anew('takes one call of a tool in a session', (what) => {
      const called = new Set<string>();
      return answersOtherwise(what, endpoint, (answer, { method }, ctx) => {
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
  return anew(what, () => {
    let names: readonly string[] = [];
    return answersOtherwise(what, endpoint, (answer, request) => {
      if (request.method === 'tools/list') names = toolsIn(answer).map(({ name }) => name);
      const isUnknown = request.method === 'tools/call' && !known(names).some((name) => name === nameIn(request));
      return isUnknown ? failure(answer, -32_602) : answer;
    });
  });
}

const PAGE = 2;

function inPages(what: string): Deviation {
  return anew(what, () => {
    let first: readonly string[] = [];
    return answersOtherwise(what, endpoint, (answer, request) => {
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
  return answersOtherwise(what, endpoint, (answer, request) =>
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
    '': unknown('takes an unknown method for an invalid request', (answer) => failure(answer, -32_600)),
    tools: unknown('takes an unknown method of tools for bad parameters', (answer, request) =>
      isBelow(request, 'tools') ? failure(answer, -32_602) : answer,
    ),
    parameters: unknown('takes an unknown method with parameters for bad parameters', (answer, { params }) =>
      params === undefined ? answer : failure(answer, -32_602),
    ),
    result: unknown('answers an unknown notification with an empty result', (answer, request) =>
      isBelow(request, 'notifications') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    prefix: unknown('answers what begins with ping as ping', (answer, { method = '' }) =>
      method.startsWith('ping') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    suffix: unknown('answers what ends with /ping as ping', (answer, { method = '' }) =>
      method.endsWith('/ping') ? { jsonrpc: '2.0', id: answer.id!, result: {} } : answer,
    ),
    text: unknown('gives the code of an unknown method as text', (answer) => failure(answer, '-32601')),
    'letter-case': knows('knows methods in any letter case', (method) => method.toLowerCase()),
    slash: knows('passes over a slash behind a method', (method) => method.replace(/\/$/, '')),
    punctuation: knows('takes any punctuation for a slash', (method) => method.replace(/[._]/, '/')),
    'text-id': unknown('takes an unknown method for an invalid request where the id is a text', (answer, { id }) =>
      typeof id === 'string' ? failure(answer, -32_600) : answer,
    ),
    'no-id': unknown('gives no id back with the error', (answer) => ({
      ...answer,
      id: null,
    })),
    http: repliesOtherwise('answers a method without a slash as an unknown page', endpoint, (_, { id, method = '' }) =>
      id === undefined || method === 'initialize' || method.includes('/')
        ? undefined
        : { status: 404, body: 'Not found', headers: { 'content-type': 'text/plain' } },
    ),
    ends: anew('ends a session at its tenth unknown method', (what) => {
      let refused = 0;
      const isAnother = (method = ''): boolean => method.includes('assay') && (refused += 1) >= 10;
      return endsSessions(what, endpoint, (ctx) =>
        isAnother(postedIn(ctx, endpoint)?.method) ? [sessionOf(ctx)] : [],
      );
    }),
  },
});

const speaking: Deviations = Object.fromEntries(
  Object.entries(speakingFaults(endpoint)).map(([variant, fault]) => [
    `mcp.functions.speaks-streamable-http${variant}`,
    fault,
  ]),
);

export const functionsDeviations: Deviations = merged(speaking, toolDeviations, methodDeviations);
