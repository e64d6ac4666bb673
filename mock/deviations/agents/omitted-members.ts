/** Deviations of how an agent behaves if an update omits enabled or public. */
import { isFor, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import type { Instant } from '../../time/clock.ts';
import { anonymous } from '../auth/conditions.ts';
import { runAsAdmin } from '../auth/effects.ts';
import { isAccepted } from '../writes.ts';
import { agentName, isUpdate, sentAgentOf } from './agent-updates.ts';

const isQuery = (ctx: Context): boolean => isFor(ctx, ['queryAgent']);
const requestedName = (ctx: Context): string => routeOf(ctx)?.params['agent'] ?? '';

/** The last accepted value of a field, by agent. An update that omits the field changes nothing. */
function lastSaid(field: 'enabled' | 'public') {
  const said = new Map<string, boolean>();
  const listen = async (ctx: Context): Promise<void> => {
    if (!isUpdate(ctx) || !isAccepted(ctx)) return;
    const { spec } = await sentAgentOf(ctx);
    if (spec?.[field] !== undefined) said.set(agentName(ctx), spec[field]);
  };
  return { said, listen };
}

/** Keeps an agent open until an update sets public to false. */
export function staysOpen(): Fault {
  const { said, listen } = lastSaid('public');
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const isOpen = isQuery(ctx) && anonymous.holds(ctx) && said.get(requestedName(ctx)) === true;
      await (isOpen ? runAsAdmin(app, ctx) : app(ctx));
      await listen(ctx);
    };
  return { kind: 'bypass auth', condition: 'queryAgent', wrap };
}

/** The duration of a deployment. */
const LASTS_MS = 1000;

function restsOnceDeployed(): Fault {
  const { said, listen } = lastSaid('enabled');
  /** By agents that are not enabled: until when they serve. */
  const ends = new Map<string, Instant>();
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      await listen(ctx);
      const now = ctx.state.world.clock.now();
      for (const [name, isEnabled] of said) {
        if (isEnabled) ends.delete(name);
        else if (!ends.has(name)) ends.set(name, now + LASTS_MS);
      }
      const end = isQuery(ctx) ? ends.get(requestedName(ctx)) : undefined;
      if (end === undefined || ![200, 503].includes(ctx.state.reply?.status ?? 0)) return;
      ctx.state.reply = now < end ? { status: 200, body: { output: 'hello' } } : { status: 503, body: {} };
    };
  return { kind: 'serve when disabled', condition: 'queryAgent', wrap };
}

export const omissionDeviations: Table = {
  'agents.update.defaults': {
    'stops an agent and keeps its predecessor running for a second if enabled is omitted after false':
      stateful(restsOnceDeployed),
    'keeps an agent public if public is omitted after true': stateful(staysOpen),
  },
};
