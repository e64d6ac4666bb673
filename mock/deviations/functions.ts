/** Deviations of binding functions to connections. */
import { deviationsOf } from './table.ts';
import type { JsonObject } from '../http/json-object.ts';
import { statefulDeviation } from './stateful-deviation.ts';
import { isFor, repliesWith } from './deviation.ts';
import type { App, Deviation, Deviations } from './deviation.ts';
import type { Reply } from '../http/reply.ts';
import { refuses } from './writes.ts';
import type { Sent } from './writes.ts';

const creates = ['createFunction'] as const;

const connectionOf = ({ spec }: Sent): string => {
  const { integrationConnections } = (spec ?? {}) as { integrationConnections?: unknown };
  return Array.isArray(integrationConnections) ? String(integrationConnections[0]) : '';
};

/** Refuses a function depending on earlier requests. `note` is called with each request for another operation. */
function refusesOnce(
  what: string,
  ids: Parameters<typeof isFor>[1],
  note: () => void,
  concerns: (sent: Sent) => boolean,
): Deviation {
  const noted =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (isFor(ctx, ids)) note();
    };
  const refused = refuses(what, creates, concerns);
  return { what, effect: 'refuse', condition: 'createFunction', wrap: (app) => noted(refused.wrap(app)) };
}

/** Replaces the response of every MCP server except demo-tools, once that is running. */
const respondsAsServer = (what: string, reply: Reply): Deviation =>
  repliesWith(what, ({ status }, ctx) =>
    isFor(ctx, ['postFunctionMcp']) && status === 200 && !ctx.path.includes('/demo-tools/') ? reply : undefined,
  );

export const functionsDeviations: Deviations = deviationsOf({
  'functions.create.with-connection': {
    '': refuses(
      'Refuses type mcp of a function',
      creates,
      ({ spec }) => (spec as JsonObject | undefined)?.['type'] === 'mcp',
    ),
    new: refuses(
      'Refuses a function with any connection except demo-connection',
      creates,
      (sent) => connectionOf(sent) !== 'demo-connection',
    ),
    twice: statefulDeviation('Refuses a second function of one connection, except demo-connection', (what) => {
      const bound = new Set<string>();
      return refuses(what, creates, (sent) => {
        const connection = connectionOf(sent);
        const isBound = bound.has(connection);
        if (connection !== 'demo-connection') bound.add(connection);
        return isBound;
      });
    }),
    asked: statefulDeviation('Refuses another function of a connection after a query', (what) => {
      let isQueried = false;
      return refusesOnce(
        what,
        ['postFunctionMcp'],
        () => (isQueried = true),
        (sent) => isQueried && connectionOf(sent) !== 'demo-connection',
      );
    }),
    'no-mcp': respondsAsServer('Returns a greeting instead of every MCP server except demo-tools', {
      status: 200,
      body: { message: 'It works!' },
    }),
    removed: statefulDeviation('Removes the other connections if one is removed', (what) => {
      let isRemoved = false;
      return refusesOnce(
        what,
        ['deleteIntegrationConnection'],
        () => (isRemoved = true),
        (sent) => isRemoved && connectionOf(sent) !== 'demo-connection',
      );
    }),
  },
});
