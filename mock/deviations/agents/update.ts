/** Deviations of the bodies and agent names that an update accepts. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { isObject } from '../../http/json-object.ts';
import type { ResourceInput } from '../../domains/resources/kind.ts';
import { createResource } from '../../domains/resources/write.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { runWithBody, isFor } from '../deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { isFromApiKey, refuseWith } from '../writes.ts';
import { acceptsUpdate, afterUpdates, agentName, isMk3, storesRefusedUpdate, withMembers } from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

export const updateDeviations: Deviations = deviationsOf({
  'agents.update.unknown-404': {
    '': onUnknown('Returns 400 if the name of an unknown agent has 49 characters', (_, ctx) => {
      if (agentName(ctx).length === 49) refuseWith(ctx, 400);
    }),
    longer: takesForAnother('Accepts an agent name with characters appended', (request, name) =>
      request.startsWith(name),
    ),
    beginning: takesForAnother('Accepts the beginning of an agent name', (request, name) => name.startsWith(request)),
    creates: onUnknown('Creates an unknown agent that has triggers', (sent, ctx) => {
      if (sent.spec?.triggers === undefined) return;
      create(sent, ctx);
      ctx.state.reply = { status: 200, body: sent };
    }),
    mk3: onUnknown('Returns 200 for an unknown agent of generation mk3', (sent, ctx) => {
      if (isMk3(sent)) ctx.state.reply = { status: 200, body: sent };
    }),
    scoped: onUnknown('Returns 200 for an unknown agent if agents:update is the only scope', (sent, ctx) => {
      if (ctx.state.credential?.scopes.join() === 'agents:update') ctx.state.reply = { status: 200, body: sent };
    }),
    'in-spite': onUnknown('Creates an unknown agent that is disabled but returns 404', (sent, ctx) => {
      if (sent.spec?.enabled === false) create(sent, ctx);
    }),
    revived: statefulDeviation('Restores a deleted agent when it is updated', (what) => {
      const deleted = new Set<string>();
      const { wrap } = onUnknown(what, (sent, ctx) => {
        if (!deleted.has(agentName(ctx))) return;
        create(sent, ctx);
        ctx.state.reply = { status: 200, body: sent };
      });
      return {
        what,
        effect: 'restore what was deleted',
        condition: 'updateAgent',
        wrap: (app) => async (ctx) => {
          await wrap(app)(ctx);
          if (isFor(ctx, ['deleteAgent'])) deleted.add(agentName(ctx));
        },
      };
    }),
    'second-time': statefulDeviation('Returns 410 for a repeated update of an unknown agent', (what) => {
      const request = new Set<string>();
      return onUnknown(what, (_, ctx) => {
        if (request.has(agentName(ctx))) refuseWith(ctx, 410);
        request.add(agentName(ctx));
      });
    }),
  },

  'agents.update.envelope-required': {
    '': acceptsUpdate(
      'Accepts an update without spec',
      ({ metadata, spec }) => metadata !== undefined && spec === undefined,
      (sent) => ({ ...sent, spec: {} }),
    ),
    list: acceptsUpdate(
      'Accepts a list whose first element is an agent',
      (sent) => Array.isArray(sent) && isEnvelope(sent[0]),
      (sent) => (sent as readonly unknown[])[0],
    ),
    metadata: acceptsUpdate(
      'Accepts an update without metadata',
      ({ metadata, spec }) => metadata === undefined && spec !== undefined,
      (sent, ctx) => ({ ...sent, metadata: { name: agentName(ctx) } }),
    ),
    'api-key': acceptsUpdate(
      'Accepts an update without metadata from API keys',
      ({ metadata, spec }, ctx) => metadata === undefined && spec !== undefined && isFromApiKey(ctx),
      (sent, ctx) => ({ ...sent, metadata: { name: agentName(ctx) } }),
    ),
    name: acceptsUpdate(
      'Accepts an update whose metadata has no name',
      ({ metadata, spec }) => isNameless(metadata) && spec !== undefined,
      (sent, ctx) => ({ ...sent, metadata: { ...sent.metadata, name: agentName(ctx) } }),
    ),
    'spec-list': acceptsUpdate(
      'Accepts a list as spec',
      ({ spec }) => Array.isArray(spec),
      (sent) => ({ ...sent, spec: {} }),
    ),
    text: afterUpdates('Returns 422 for a string', (_, ctx) => {
      if (typeof ctx.state.body === 'string') refuseWith(ctx, 422);
    }),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for missing metadata',
      ({ spec, metadata }) => spec !== undefined && metadata === undefined,
      withMembers('triggers'),
    ),
    'in-spite': storesRefusedUpdate(
      'Stores the metadata of an update refused for a missing spec',
      ({ spec, metadata }) => spec === undefined && metadata !== undefined,
    ),
  },
});

function onUnknown(what: string, then: (sent: SentAgent, ctx: Context, app: App) => Promise<void> | void): Deviation {
  return afterUpdates(what, async (sent, ctx, app) => {
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
function takesForAnother(what: string, isTaken: (request: string, name: string) => boolean): Deviation {
  return onUnknown(what, async (sent, ctx, app) => {
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
