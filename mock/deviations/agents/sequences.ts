/** Faults that show only over several updates. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { anew } from '../anew.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import { change, isAccepted } from '../writes.ts';
import {
  afterUpdates,
  agentName,
  isUpdate,
  keepsAndShows,
  keepsInSpite,
  keptNow,
  sentAgentTo,
  triggersOf,
  volumesOf,
  withMembers,
} from './faults.ts';
import type { SentAgent } from './faults.ts';

export const sequencesDeviations: Deviations = deviationsOf({
  'agents.update.any-sequence-follows-the-model': {
    '': keepsAndShows('keeps the labels of the update before where they are left out', (after, before, { metadata }) =>
      metadata?.['labels'] === undefined && before !== undefined
        ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
        : after,
    ),
    'empty-labels': keepsAndShows(
      'keeps the labels of the update before where none are in the object',
      (after, before, { metadata }) =>
        isEmptyObject(metadata?.['labels']) && before !== undefined
          ? { ...after, metadata: { ...after.metadata, labels: before.metadata['labels'] } }
          : after,
    ),
    volumes: keepsAndShows(
      'keeps the volumes of the update before where they are left out',
      (after, before, { spec }) =>
        spec?.volumes === undefined && before?.spec['volumes'] !== undefined
          ? { ...after, spec: { ...after.spec, volumes: before.spec['volumes'] } }
          : after,
    ),
    'merged-variables': keepsAndShows(
      'adds the variables of an update to those that are there',
      (after, before, { spec }) => {
        if (spec?.runtime?.envs === undefined) return after;
        const earlier = (before?.spec['runtime'] as { envs?: object[] } | undefined)?.envs ?? [];
        const runtime = { ...(after.spec['runtime'] as object), envs: [...earlier, ...spec.runtime.envs] };
        return { ...after, spec: { ...after.spec, runtime } };
      },
    ),
    refused: keepsInSpite(
      'keeps the variables of an update that it refuses for its last trigger',
      (sent) => triggersOf(sent).length > 1,
      (resource, { spec }) => {
        const runtime = { ...(resource.spec['runtime'] as object), envs: spec?.runtime?.envs };
        return { ...resource, spec: { ...resource.spec, runtime } };
      },
    ),
    'refused-volume': keepsInSpite(
      'sets the triggers of an update that it refuses for a volume',
      (sent) => volumesOf(sent).length > 0,
      withMembers('triggers'),
    ),
    'refused-timeout': keepsInSpite(
      'sets the triggers of an update that it refuses for a timeout',
      (sent) => triggersOf(sent).some(({ configuration }) => Number(configuration?.timeout) > 900),
      withMembers('triggers'),
    ),
    'refused-value': keepsInSpite(
      'disables an agent by an update that it refuses for the value of a variable',
      ({ spec }) => [spec?.runtime?.envs ?? []].flat().some(({ value }) => typeof value === 'number'),
      withMembers('enabled'),
    ),
    'refused-policies': keepsInSpite(
      'disables an agent by an update that it refuses for its policies',
      ({ spec }) => spec?.policies !== undefined,
      withMembers('enabled'),
    ),
    'refused-repository': keepsInSpite(
      'sets the triggers of an update that it refuses for its repository',
      ({ spec }) => spec?.repository !== undefined,
      withMembers('triggers'),
    ),
    'refused-revision': keepsInSpite(
      'sets the triggers of an update that it refuses for its revision',
      ({ spec }) => typeof spec?.revision?.stickySessionTtl === 'string',
      withMembers('triggers'),
    ),
    'refused-name': keepsInSpite(
      'keeps the metadata of an update that it refuses for another name',
      ({ metadata, spec }, ctx) => spec !== undefined && metadata !== undefined && metadata['name'] !== agentName(ctx),
    ),
    unknown: anew('gives the agent updated last the display name of an unknown one', (what) => {
      let last = '';
      return afterUpdates(what, ({ metadata }, ctx) => {
        if (isAccepted(ctx)) last = agentName(ctx);
        const displayName = metadata?.['displayName'];
        if (ctx.state.reply?.status !== 404 || displayName === undefined) return;
        change(ctx, last, (resource) => ({ ...resource, metadata: { ...resource.metadata, displayName } }));
      });
    }),
    lost: anew('answers every fifth update in a row, and does not keep it', (what) => {
      let updates = 0;
      return keepingNothing(what, ({ state }) => state.reply?.status === 200 && (updates += 1) % 5 === 0);
    }),
    'other-agent': anew('gives the triggers of an update to the agent updated before, too', (what) => {
      let last = '';
      return afterUpdates(what, ({ spec }, ctx) => {
        if (!isAccepted(ctx)) return;
        const triggers = spec?.triggers;
        if (last !== agentName(ctx) && triggers !== undefined)
          change(ctx, last, (resource) => ({ ...resource, spec: { ...resource.spec, triggers } }));
        last = agentName(ctx);
      });
    }),
    'at-once': anew('mixes updates that come at once: the display name of one, the rest of another', (what) => ({
      what,
      wrap: mixing,
    })),
  },
});

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Puts back what was there before, after it has been answered. */
function keepingNothing(what: string, concerns: (ctx: Context) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = keptNow(ctx);
      await app(ctx);
      if (isUpdate(ctx) && concerns(ctx)) putBack();
    };
  return { what, wrap };
}

function mixing(app: App): App {
  const underWay = new Map<string, Set<SentAgent>>();
  return async (ctx) => {
    if (!isUpdate(ctx)) return app(ctx);
    const sent = await sentAgentTo(ctx);
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
