/** A running MCP server: sessions for clients that initialize, single exchanges for protocol 2026-07-28 and later. */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import { worldLimits } from '../../../spec/formats/mock-limits.ts';
import { defaultChoices, type McpChoices } from '../../state/choices.ts';
import type { Random } from '../../time/random.ts';
import { createEventStore } from './event-store.ts';
import { createSessionStreams } from './session-streams.ts';
import { noSession, unknownSession } from './session-refusals.ts';

export interface LiveServer {
  /** `body`: the parsed body of a POST. A session is only visible to the caller that began it. */
  handle(request: Request, body: unknown, caller: string): Promise<Response>;
  sessions(): number;
  close(): Promise<void>;
}

interface Session {
  readonly caller: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Handles its GET requests. */
  readonly openStream: (request: Request) => Promise<Response>;
}

/** The `retry` of event streams: when clients should reconnect. */
const RETRY_MS = 500;

/** `make` creates a server for each session and each single exchange, from the current resource. */
export function createLiveServer(
  make: () => McpServer,
  random: Random,
  { sessions: sessionIds, responseFormat, alsoListed }: McpChoices = defaultChoices.mcp.function,
  /** Many clients disconnect without DELETE. Beyond, the oldest session is closed. */
  hasTooManySessions: (own: number) => boolean = (own) => own > worldLimits.mcpSessions.max,
): LiveServer {
  const sessions = new Map<string, Session>();
  const build = () => listing(make(), alsoListed);
  const modern = createMcpHandler(build, { legacy: 'reject' });

  const closeOldest = () => {
    const [first] = sessions.values();
    if (sessions.size > 1 && hasTooManySessions(sessions.size)) void first?.server.close();
  };
  const begin = async (request: Request, parsedBody: unknown, caller: string): Promise<Response> => {
    const server = build();
    const eventStore = createEventStore();
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...(sessionIds === 'given' && { sessionIdGenerator: () => random.uuid() }),
      enableJsonResponse: responseFormat === 'JSON',
      eventStore,
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => {
        sessions.set(id, { caller, server, transport, openStream: createSessionStreams(transport, eventStore) });
        closeOldest();
      },
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- A transport of the SDK is no event target.
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '');
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined && sessionIds === 'given') await server.close();
    return response;
  };

  return {
    handle: async (request, parsedBody, caller) => {
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody });
      const id = request.headers.get('mcp-session-id');
      if (sessionIds === 'none') return begin(request, parsedBody, caller);
      if (id === null) return isInitializeRequest(parsedBody) ? begin(request, parsedBody, caller) : noSession();
      const session = sessions.get(id);
      if (session?.caller !== caller) return unknownSession();
      if (request.method === 'GET') return session.openStream(request);
      return session.transport.handleRequest(request, { parsedBody });
    },
    sessions: () => sessions.size,
    close: async () => {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({ server }) => server.close())]);
    },
  };
}

/** Adds capabilities that the server lists without implementing them. */
function listing(server: McpServer, names: readonly string[]): McpServer {
  if (names.length > 0) server.server.registerCapabilities(Object.fromEntries(names.map((name) => [name, {}])));
  return server;
}
