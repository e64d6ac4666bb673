/** Deviations that are only visible over several updates. */
import { stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Resource } from '../../state/resources.ts';
import { change, isAccepted, type AppliesTo } from '../writes.ts';
import {
  afterUpdates,
  agentName,
  isUpdate,
  storesAndReturns,
  storedInPart,
  storesRefusedUpdate,
  snapshotAgents,
  sentAgentOf,
  triggersOf,
  volumesOf,
} from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';

const hasLongTimeout: AppliesTo<SentAgent> = (sent) =>
  triggersOf(sent).some(({ configuration }) => Number(configuration?.timeout) > 900);
const hasNumericVariable: AppliesTo<SentAgent> = ({ spec }) =>
  [spec?.runtime?.envs ?? []].flat().some(({ value }) => typeof value === 'number');
const hasOtherName: AppliesTo<SentAgent> = ({ metadata, spec }, ctx) =>
  spec !== undefined && metadata !== undefined && metadata['name'] !== agentName(ctx);

/** Retains what was there before if the update matches. */
const retains = (applies: (sent: SentAgent) => boolean, edit: (after: Resource, before: Resource) => Resource): Fault =>
  storesAndReturns((after, before, sent) => (before !== undefined && applies(sent) ? edit(after, before) : after));
const withLabels = (after: Resource, before: Resource): Resource => ({
  ...after,
  metadata: { ...after.metadata, labels: before.metadata['labels'] },
});

export const sequencesDeviations: Table = {
  'agents.update.any-sequence-follows-the-model': {
    'retains the previous labels if labels are omitted': retains(
      ({ metadata }) => metadata?.['labels'] === undefined,
      withLabels,
    ),
    'retains the previous labels if the labels are empty': retains(
      ({ metadata }) => isEmptyObject(metadata?.['labels']),
      withLabels,
    ),
    'retains the previous volumes if volumes are omitted': retains(
      ({ spec }) => spec?.volumes === undefined,
      (after, before) => ({ ...after, spec: { ...after.spec, volumes: before.spec['volumes'] } }),
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
    ...storedInPart('a volume', (sent) => volumesOf(sent).length > 0, 'triggers'),
    ...storedInPart('a timeout', hasLongTimeout, 'triggers'),
    ...storedInPart('the value of a variable', hasNumericVariable, 'enabled'),
    ...storedInPart('its policies', ({ spec }) => spec?.policies !== undefined, 'enabled'),
    ...storedInPart('its repository', ({ spec }) => spec?.repository !== undefined, 'triggers'),
    ...storedInPart('its revision', ({ spec }) => typeof spec?.revision?.stickySessionTtl === 'string', 'triggers'),
    ...storedInPart('another name', hasOtherName, 'metadata'),
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
