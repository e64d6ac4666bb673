/** Deviations of binding functions to connections. */
import { isFor, stateful, repliesWith, type App, type Fault } from './deviation.ts';
import type { Table } from './table.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import type { Reply } from '../http/reply.ts';
import { refuses } from './writes.ts';
import type { Sent } from './writes.ts';

const creates = ['createFunction'] as const;

const connectionOf = ({ spec }: Sent): string => {
  const { integrationConnections } = (spec ?? {}) as { integrationConnections?: unknown };
  return Array.isArray(integrationConnections) ? String(integrationConnections[0]) : '';
};

/** Refuses a function depending on earlier requests. `note` is called with each request for another operation. */
function refusesOnce(ids: Parameters<typeof isFor>[1], note: () => void, concerns: (sent: Sent) => boolean): Fault {
  const noted =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (isFor(ctx, ids)) note();
    };
  const refused = refuses(creates, concerns);
  return { kind: 'refuse', condition: 'createFunction', wrap: (app) => noted(refused.wrap(app)) };
}

/** Replaces the response of every MCP server except demo-tools, once that is running. */
const respondsAsServer = (reply: Reply): Fault =>
  repliesWith(({ status }, ctx) =>
    isFor(ctx, ['postFunctionMcp']) && status === 200 && !ctx.path.includes('/demo-tools/') ? reply : undefined,
  );

export const functionsDeviations: Table = {
  'functions.create.with-connection': {
    'refuses type mcp of a function': refuses(
      creates,
      ({ spec }) => (spec as JsonObject | undefined)?.['type'] === 'mcp',
    ),
    'refuses a function with any connection except demo-connection': refuses(
      creates,
      (sent) => connectionOf(sent) !== 'demo-connection',
    ),
    'refuses a second function of one connection, except demo-connection': stateful(() => {
      const bound = new Set<string>();
      return refuses(creates, (sent) => {
        const connection = connectionOf(sent);
        const isBound = bound.has(connection);
        if (connection !== 'demo-connection') bound.add(connection);
        return isBound;
      });
    }),
    'refuses another function of a connection after a query': stateful(() => {
      let isQueried = false;
      return refusesOnce(
        ['postFunctionMcp'],
        () => (isQueried = true),
        (sent) => isQueried && connectionOf(sent) !== 'demo-connection',
      );
    }),
    'returns a greeting instead of every MCP server except demo-tools': respondsAsServer({
      status: 200,
      body: { message: 'It works!' },
    }),
    'removes the other connections if one is removed': stateful(() => {
      let isRemoved = false;
      return refusesOnce(
        ['deleteIntegrationConnection'],
        () => (isRemoved = true),
        (sent) => isRemoved && connectionOf(sent) !== 'demo-connection',
      );
    }),
  },
};
