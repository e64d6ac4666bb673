/** Deviations that are only visible over several updates. */
import { stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { change, isAccepted } from '../writes.ts';
import {
  afterUpdates,
  agentName,
  isUpdate,
  storesAndReturns,
  storesRefusedUpdate,
  snapshotAgents,
  sentAgentOf,
  triggersOf,
  volumesOf,
  withMembers,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

export const sequencesDeviations: Table = {
  'agents.update.any-sequence-follows-the-model': {
    'retains the previous labels if labels are omitted': storesAndReturns((after, before, { metadata }) =>
      metadata?.['labels'] === undefined && before !== undefined
        ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
        : after,
    ),
    'retains the previous labels if the labels are empty': storesAndReturns((after, before, { metadata }) =>
      isEmptyObject(metadata?.['labels']) && before !== undefined
        ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
        : after,
    ),
    'retains the previous volumes if volumes are omitted': storesAndReturns((after, before, { spec }) =>
      spec?.volumes === undefined && before?.spec['volumes'] !== undefined
        ? { ...after, spec: { ...after.spec, volumes: before.spec['volumes'] } }
        : after,
    ),
    'adds the variables of an update to the existing ones': storesAndReturns((after, before, { spec }) => {
      if (spec?.runtime?.envs === undefined) return after;
      const earlier = (before?.spec['runtime'] as { envs?: object[] } | undefined)?.envs ?? [];
      const runtime = { ...(after.spec['runtime'] as object), envs: [...earlier, ...spec.runtime.envs] };
      return { ...after, spec: { ...after.spec, runtime } };
    }),
    'stores the variables of an update refused for its last trigger': storesRefusedUpdate(
      (sent) => triggersOf(sent).length > 1,
      (resource, { spec }) => {
        const runtime = { ...(resource.spec['runtime'] as object), envs: spec?.runtime?.envs };
        return { ...resource, spec: { ...resource.spec, runtime } };
      },
    ),
    'sets the triggers of an update refused for a volume': storesRefusedUpdate(
      (sent) => volumesOf(sent).length > 0,
      withMembers('triggers'),
    ),
    'sets the triggers of an update refused for a timeout': storesRefusedUpdate(
      (sent) => triggersOf(sent).some(({ configuration }) => Number(configuration?.timeout) > 900),
      withMembers('triggers'),
    ),
    'disables an agent by an update refused for the value of a variable': storesRefusedUpdate(
      ({ spec }) => [spec?.runtime?.envs ?? []].flat().some(({ value }) => typeof value === 'number'),
      withMembers('enabled'),
    ),
    'disables an agent by an update refused for its policies': storesRefusedUpdate(
      ({ spec }) => spec?.policies !== undefined,
      withMembers('enabled'),
    ),
    'sets the triggers of an update refused for its repository': storesRefusedUpdate(
      ({ spec }) => spec?.repository !== undefined,
      withMembers('triggers'),
    ),
    'sets the triggers of an update refused for its revision': storesRefusedUpdate(
      ({ spec }) => typeof spec?.revision?.stickySessionTtl === 'string',
      withMembers('triggers'),
    ),
    'stores the metadata of an update refused for another name': storesRefusedUpdate(
      ({ metadata, spec }, ctx) => spec !== undefined && metadata !== undefined && metadata['name'] !== agentName(ctx),
    ),
    'sets the display name of the last updated agent to that of an unknown one': stateful(() => {
      let last = '';
      return afterUpdates(({ metadata }, ctx) => {
        if (isAccepted(ctx)) last = agentName(ctx);
        const displayName = metadata?.['displayName'];
        if (ctx.state.reply?.status !== 404 || displayName === undefined) return;
        change(ctx, last, (resource) => ({ ...resource, metadata: { ...resource.metadata, displayName } }));
      });
    }),
    'does not store every fifth consecutive update': stateful(() => {
      let updates = 0;
      return keepingNothing(({ state }) => state.reply?.status === 200 && (updates += 1) % 5 === 0);
    }),
    'sets the triggers of an update on the previously updated agent too': stateful(() => {
      let last = '';
      return afterUpdates(({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const triggers = spec?.triggers;
        if (last !== agentName(ctx) && triggers !== undefined)
          change(ctx, last, (resource) => ({ ...resource, spec: { ...resource.spec, triggers } }));
        last = agentName(ctx);
      });
    }),
    'mixes simultaneous updates: the display name of one, the rest of another': stateful(() => ({
      kind: 'mix up simultaneous requests',
      condition: 'updateAgent',
      wrap: mixing,
    })),
  },
};

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Restores the previous state after the response. */
function keepingNothing(concerns: (ctx: Context) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = snapshotAgents(ctx);
      await app(ctx);
      if (isUpdate(ctx) && concerns(ctx)) putBack();
    };
  return { kind: 'lose write', condition: 'updateAgent', wrap };
}

function mixing(app: App): App {
  const underWay = new Map<string, Set<SentAgent>>();
  return async (ctx) => {
    if (!isUpdate(ctx)) return app(ctx);
    const sent = await sentAgentOf(ctx);
    const others = underWay.get(agentName(ctx)) ?? new Set<SentAgent>();
    const [other] = others;
    underWay.set(agentName(ctx), others.add(sent));
    // A moment in which others arrive.
    await new Promise((resolve) => setTimeout(resolve, 10));
    await app(ctx).finally(() => others.delete(sent));
    if (!isAccepted(ctx) || other === undefined) return undefined;
    const displayName = other.metadata?.['displayName'];
    change(ctx, agentName(ctx), (resource) => ({ ...resource, metadata: { ...resource.metadata, displayName } }));
    return undefined;
  };
}
