/** Deviations of defaults for omitted members and of repeated updates. */
import { deviationsOf } from '../table.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { Deviations } from '../deviation.ts';
import { change, isAccepted, refuseWith } from '../writes.ts';
import {
  agentName,
  afterUpdates,
  changesUpdateResponse,
  isMk3,
  storesAndReturns,
  triggersOf,
} from './agent-updates.ts';

export const defaultsDeviations: Deviations = deviationsOf({
  'agents.update.defaults': {
    '': storesAndReturns('Keeps an agent disabled if enabled is omitted', (after, before, { spec }) =>
      spec?.enabled === undefined && before?.spec['enabled'] === false
        ? { ...after, spec: { ...after.spec, enabled: false } }
        : after,
    ),
    'without-runtime': storesAndReturns(
      'Keeps an agent disabled if an update has neither enabled nor a runtime',
      (after, before, { spec }) =>
        spec?.enabled === undefined && spec?.runtime === undefined && before?.spec['enabled'] === false
          ? { ...after, spec: { ...after.spec, enabled: false } }
          : after,
    ),
    public: storesAndReturns('Keeps an agent public if public is omitted', (after, before, { spec }) =>
      spec?.public === undefined && before?.spec['public'] === true
        ? { ...after, spec: { ...after.spec, public: true } }
        : after,
    ),
    cron: changesUpdateResponse('Returns a cron trigger without enabled as disabled', ({ spec }, sent) => {
      for (const [index, trigger] of (spec.triggers ?? []).entries())
        if (trigger.type === 'cron' && triggersOf(sent)[index]?.enabled === undefined) trigger.enabled = false;
    }),
    beside: changesUpdateResponse('Copies enabled from another trigger if it is omitted', ({ spec }, sent) => {
      const isOther = triggersOf(sent).some(({ enabled }) => enabled === false);
      for (const [index, trigger] of (spec.triggers ?? []).entries())
        if (isOther && triggersOf(sent)[index]?.enabled === undefined) trigger.enabled = false;
    }),
    serving: afterUpdates(
      'Returns an agent as enabled but does not serve it if enabled is omitted',
      ({ spec }, ctx) => {
        if (!isAccepted(ctx) || spec?.enabled !== undefined) return;
        change(ctx, agentName(ctx), (resource) => ({ ...resource, spec: { ...resource.spec, enabled: false } }));
      },
    ),
  },

  'agents.update.idempotent': {
    '': statefulDeviation('Adds a trigger again if an update is repeated', (what) => {
      const isRepeated = repeats();
      return changesUpdateResponse(what, ({ spec }, sent, ctx) => {
        const [first] = spec.triggers ?? [];
        if (isRepeated(agentName(ctx), sent) && first !== undefined)
          spec.triggers?.push({ ...first, id: `${first.id}-again` });
      });
    }),
    'third-time': statefulDeviation('Refuses the third update of an mk3 agent', (what) => {
      const isRepeated = repeats(3);
      return afterUpdates(what, (sent, ctx) => {
        if (isAccepted(ctx) && isMk3(sent) && isRepeated(agentName(ctx), sent)) refuseWith(ctx, 400);
      });
    }),
    scale: statefulDeviation('Increases max scale if an update is repeated', (what) => {
      const isRepeated = repeats();
      return changesUpdateResponse(what, ({ spec }, sent, ctx) => {
        if (isRepeated(agentName(ctx), sent) && spec.runtime?.maxScale !== undefined) spec.runtime.maxScale += 1;
      });
    }),
    ids: statefulDeviation('Treats trigger ids of the previous update as taken', (what) => {
      const isRepeated = repeats();
      return changesUpdateResponse(what, ({ spec }, sent, ctx) => {
        if (!isRepeated(agentName(ctx), sent)) return;
        for (const trigger of spec.triggers ?? []) trigger.id = `${trigger.id}-2`;
      });
    }),
  },
});

/** Whether an agent is sent the same so many times in a row, the last time included. */
function repeats(times = 2): (name: string, sent: unknown) => boolean {
  const last = new Map<string, { text: string; times: number }>();
  return (name, sent) => {
    const text = JSON.stringify(sent);
    const before = last.get(name);
    const now = { text, times: before?.text === text ? before.times + 1 : 1 };
    last.set(name, now);
    return now.times >= times;
  };
}
