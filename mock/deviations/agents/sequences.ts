/** Deviations that are only visible over several updates. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
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

export const sequencesDeviations: Deviations = deviationsOf({
  'agents.update.any-sequence-follows-the-model': {
    '': storesAndReturns('Retains the previous labels if labels are omitted', (after, before, { metadata }) =>
      metadata?.['labels'] === undefined && before !== undefined
        ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
        : after,
    ),
    'empty-labels': storesAndReturns(
      'Retains the previous labels if the labels are empty',
      (after, before, { metadata }) =>
        isEmptyObject(metadata?.['labels']) && before !== undefined
          ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
          : after,
    ),
    volumes: storesAndReturns('Retains the previous volumes if volumes are omitted', (after, before, { spec }) =>
      spec?.volumes === undefined && before?.spec['volumes'] !== undefined
        ? { ...after, spec: { ...after.spec, volumes: before.spec['volumes'] } }
        : after,
    ),
    'merged-variables': storesAndReturns(
      'Adds the variables of an update to the existing ones',
      (after, before, { spec }) => {
        if (spec?.runtime?.envs === undefined) return after;
        const earlier = (before?.spec['runtime'] as { envs?: object[] } | undefined)?.envs ?? [];
        const runtime = { ...(after.spec['runtime'] as object), envs: [...earlier, ...spec.runtime.envs] };
        return { ...after, spec: { ...after.spec, runtime } };
      },
    ),
    refused: storesRefusedUpdate(
      'Stores the variables of an update refused for its last trigger',
      (sent) => triggersOf(sent).length > 1,
      (resource, { spec }) => {
        const runtime = { ...(resource.spec['runtime'] as object), envs: spec?.runtime?.envs };
        return { ...resource, spec: { ...resource.spec, runtime } };
      },
    ),
    'refused-volume': storesRefusedUpdate(
      'Sets the triggers of an update refused for a volume',
      (sent) => volumesOf(sent).length > 0,
      withMembers('triggers'),
    ),
    'refused-timeout': storesRefusedUpdate(
      'Sets the triggers of an update refused for a timeout',
      (sent) => triggersOf(sent).some(({ configuration }) => Number(configuration?.timeout) > 900),
      withMembers('triggers'),
    ),
    'refused-value': storesRefusedUpdate(
      'Disables an agent by an update refused for the value of a variable',
      ({ spec }) => [spec?.runtime?.envs ?? []].flat().some(({ value }) => typeof value === 'number'),
      withMembers('enabled'),
    ),
    'refused-policies': storesRefusedUpdate(
      'Disables an agent by an update refused for its policies',
      ({ spec }) => spec?.policies !== undefined,
      withMembers('enabled'),
    ),
    'refused-repository': storesRefusedUpdate(
      'Sets the triggers of an update refused for its repository',
      ({ spec }) => spec?.repository !== undefined,
      withMembers('triggers'),
    ),
    'refused-revision': storesRefusedUpdate(
      'Sets the triggers of an update refused for its revision',
      ({ spec }) => typeof spec?.revision?.stickySessionTtl === 'string',
      withMembers('triggers'),
    ),
    'refused-name': storesRefusedUpdate(
      'Stores the metadata of an update refused for another name',
      ({ metadata, spec }, ctx) => spec !== undefined && metadata !== undefined && metadata['name'] !== agentName(ctx),
    ),
    unknown: statefulDeviation('Sets the display name of the last updated agent to that of an unknown one', (what) => {
      let last = '';
      return afterUpdates(what, ({ metadata }, ctx) => {
        if (isAccepted(ctx)) last = agentName(ctx);
        const displayName = metadata?.['displayName'];
        if (ctx.state.reply?.status !== 404 || displayName === undefined) return;
        change(ctx, last, (resource) => ({ ...resource, metadata: { ...resource.metadata, displayName } }));
      });
    }),
    lost: statefulDeviation('Does not store every fifth consecutive update', (what) => {
      let updates = 0;
      return keepingNothing(what, ({ state }) => state.reply?.status === 200 && (updates += 1) % 5 === 0);
    }),
    'other-agent': statefulDeviation('Sets the triggers of an update on the previously updated agent too', (what) => {
      let last = '';
      return afterUpdates(what, ({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const triggers = spec?.triggers;
        if (last !== agentName(ctx) && triggers !== undefined)
          change(ctx, last, (resource) => ({ ...resource, spec: { ...resource.spec, triggers } }));
        last = agentName(ctx);
      });
    }),
    'at-once': statefulDeviation(
      'Mixes simultaneous updates: the display name of one, the rest of another',
      (what) => ({
        what,
        effect: 'mix up simultaneous requests',
        condition: 'updateAgent',
        wrap: mixing,
      }),
    ),
  },
});

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Restores the previous state after the response. */
function keepingNothing(what: string, concerns: (ctx: Context) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = snapshotAgents(ctx);
      await app(ctx);
      if (isUpdate(ctx) && concerns(ctx)) putBack();
    };
  return { what, effect: 'lose write', condition: 'updateAgent', wrap };
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
