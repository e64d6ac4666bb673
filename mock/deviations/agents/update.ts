/** Deviations of the bodies and agent names that an update accepts. */
import { runWithBody, isFor, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { isObject } from '../../../spec/json-object.ts';
import type { ResourceInput } from '../../domains/resources/kind.ts';
import { createResource } from '../../domains/resources/write.ts';
import { isFromApiKey, refuseWith } from '../writes.ts';
import { acceptsUpdate, afterUpdates, agentName, isMk3, storesRefusedUpdate, withMembers } from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

export const updateDeviations: Table = {
  'agents.update.unknown-404': {
    'returns 400 if the name of an unknown agent has 49 characters': onUnknown((_, ctx) => {
      if (agentName(ctx).length === 49) refuseWith(ctx, 400);
    }),
    'accepts an agent name with characters appended': takesForAnother((request, name) => request.startsWith(name)),
    'accepts the beginning of an agent name': takesForAnother((request, name) => name.startsWith(request)),
    'creates an unknown agent that has triggers': onUnknown((sent, ctx) => {
      if (sent.spec?.triggers === undefined) return;
      create(sent, ctx);
      ctx.state.reply = { status: 200, body: sent };
    }),
    'returns 200 for an unknown agent of generation mk3': onUnknown((sent, ctx) => {
      if (isMk3(sent)) ctx.state.reply = { status: 200, body: sent };
    }),
    'returns 200 for an unknown agent if agents:update is the only scope': onUnknown((sent, ctx) => {
      if (ctx.state.credential?.scopes.join() === 'agents:update') ctx.state.reply = { status: 200, body: sent };
    }),
    'creates an unknown agent that is disabled but returns 404': onUnknown((sent, ctx) => {
      if (sent.spec?.enabled === false) create(sent, ctx);
    }),
    'restores a deleted agent when it is updated': stateful(() => {
      const deleted = new Set<string>();
      const { wrap } = onUnknown((sent, ctx) => {
        if (!deleted.has(agentName(ctx))) return;
        create(sent, ctx);
        ctx.state.reply = { status: 200, body: sent };
      });
      return {
        kind: 'restore what was deleted',
        condition: 'updateAgent',
        wrap: (app) => async (ctx) => {
          await wrap(app)(ctx);
          if (isFor(ctx, ['deleteAgent'])) deleted.add(agentName(ctx));
        },
      };
    }),
    'returns 410 for a repeated update of an unknown agent': stateful(() => {
      const request = new Set<string>();
      return onUnknown((_, ctx) => {
        if (request.has(agentName(ctx))) refuseWith(ctx, 410);
        request.add(agentName(ctx));
      });
    }),
  },

  'agents.update.envelope-required': {
    'accepts an update without spec': acceptsUpdate(
      ({ metadata, spec }) => metadata !== undefined && spec === undefined,
      (sent) => ({ ...sent, spec: {} }),
    ),
    'accepts a list whose first element is an agent': acceptsUpdate(
      (sent) => Array.isArray(sent) && isEnvelope(sent[0]),
      (sent) => (sent as readonly unknown[])[0],
    ),
    'accepts an update without metadata': acceptsUpdate(
      ({ metadata, spec }) => metadata === undefined && spec !== undefined,
      (sent, ctx) => ({ ...sent, metadata: { name: agentName(ctx) } }),
    ),
    'accepts an update without metadata from API keys': acceptsUpdate(
      ({ metadata, spec }, ctx) => metadata === undefined && spec !== undefined && isFromApiKey(ctx),
      (sent, ctx) => ({ ...sent, metadata: { name: agentName(ctx) } }),
    ),
    'accepts an update whose metadata has no name': acceptsUpdate(
      ({ metadata, spec }) => isNameless(metadata) && spec !== undefined,
      (sent, ctx) => ({ ...sent, metadata: { ...sent.metadata, name: agentName(ctx) } }),
    ),
    'accepts a list as spec': acceptsUpdate(
      ({ spec }) => Array.isArray(spec),
      (sent) => ({ ...sent, spec: {} }),
    ),
    'returns 422 for a string': afterUpdates((_, ctx) => {
      if (typeof ctx.state.body === 'string') refuseWith(ctx, 422);
    }),
    'sets the triggers of an update refused for missing metadata': storesRefusedUpdate(
      ({ spec, metadata }) => spec !== undefined && metadata === undefined,
      withMembers('triggers'),
    ),
    'stores the metadata of an update refused for a missing spec': storesRefusedUpdate(
      ({ spec, metadata }) => spec === undefined && metadata !== undefined,
    ),
  },
};

function onUnknown(then: (sent: SentAgent, ctx: Context, app: App) => Promise<void> | void): Fault {
  return afterUpdates(async (sent, ctx, app) => {
    if (ctx.state.reply?.status === 404) await then(sent, ctx, app);
  });
}

function create(sent: SentAgent, { state: { world, workspace, credential } }: Context): void {
  if (workspace === undefined || credential === undefined) return;
  const by = { caller: credential.caller.id, at: world.clock.now() };
  createResource(world, placeOf('agents', workspace), sent as ResourceInput, by);
}

const isEnvelope = (value: unknown): boolean => typeof value === 'object' && value !== null && 'spec' in value;

const isNameless = (metadata: unknown): boolean => isObject(metadata) && metadata['name'] === undefined;

/** Updates an existing agent if the requested one does not exist. */
function takesForAnother(isTaken: (request: string, name: string) => boolean): Fault {
  return onUnknown(async (sent, ctx, app) => {
    const request = ctx.url;
    const { world } = ctx.state;
    const names = [...(world.resources.get(`${world.target.workspace}/agents`)?.keys() ?? [])];
    const name = names.find((each) => isTaken(agentName(ctx), each));
    if (name === undefined) return;
    ctx.path = ctx.path.replace(/[^/]+$/, name);
    await runWithBody(app, ctx, { ...sent, metadata: { ...sent.metadata, name } }).finally(() => {
      ctx.url = request;
    });
  });
}
