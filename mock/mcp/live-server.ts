/** One MCP server on the air: sessions for clients that initialize, single exchanges for those of 2026-07-28 and later. */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { Random } from '../world/random.ts';
import { createEventStore } from './event-store.ts';
import { noSession, unknownSession } from './session-refusals.ts';

export interface LiveServer {
  /** `body` is the parsed one of a POST. A session is only found by the caller who began it. */
  answer(request: Request, body: unknown, caller: string): Promise<Response>;
  sessions(): number;
  close(): Promise<void>;
}

interface Session {
  readonly caller: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** Clients that leave without a DELETE are many: the session begun first makes room. */
const MOST_SESSIONS = 1000;
/** How soon a client whose stream was cut is asked to come back. */
const RETRY_MS = 500;

/** `build` makes a server for each session and each single exchange, from what the resource is at that moment. */
export function createLiveServer(build: () => McpServer, random: Random): LiveServer {
  const sessions = new Map<string, Session>();
  const modern = createMcpHandler(build, { legacy: 'reject' });

  const begin = async (request: Request, parsedBody: unknown, caller: string): Promise<Response> => {
    const server = build();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => random.uuid(),
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => {
        sessions.set(id, { caller, server, transport });
        makeRoom(sessions);
      },
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- A transport of the SDK is no event target.
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '');
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  return {
    answer: async (request, parsedBody, caller) => {
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody });
      const id = request.headers.get('mcp-session-id');
      if (id === null) return isInitializeRequest(parsedBody) ? begin(request, parsedBody, caller) : noSession();
      const session = sessions.get(id);
      if (session?.caller !== caller) return unknownSession();
      return session.transport.handleRequest(request, { parsedBody });
    },
    sessions: () => sessions.size,
    close: async () => {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({ server }) => server.close())]);
    },
  };
}

function makeRoom(sessions: ReadonlyMap<string, Session>): void {
  const [first] = sessions.values();
  if (sessions.size > MOST_SESSIONS) void first?.server.close();
}
