/** Deviations of defaults for omitted members and of repeated updates. */
import { stateful, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { change, isAccepted, refuseWith } from '../writes.ts';
import {
  agentName,
  afterUpdates,
  changesUpdateResponse,
  isMk3,
  storesAndReturns,
  triggersOf,
  type SentAgent,
} from './agent-updates.ts';

/** Keeps a value that an update omits. */
const keeps = (
  member: 'enabled' | 'public',
  value: boolean,
  applies: (sent: SentAgent) => boolean = () => true,
): Fault =>
  storesAndReturns((after, before, sent) =>
    sent.spec?.[member] === undefined && before?.spec[member] === value && applies(sent)
      ? { ...after, spec: { ...after.spec, [member]: value } }
      : after,
  );

export const defaultsDeviations: Table = {
  'agents.update.defaults': {
    'keeps an agent disabled if enabled is omitted': keeps('enabled', false),
    'keeps an agent disabled if an update has neither enabled nor a runtime': keeps(
      'enabled',
      false,
      ({ spec }) => spec?.runtime === undefined,
    ),
    'keeps an agent public if public is omitted': keeps('public', true),
    'returns a cron trigger without enabled as disabled': changesUpdateResponse(({ spec }, sent) => {
      for (const [index, trigger] of (spec.triggers ?? []).entries())
        if (trigger.type === 'cron' && triggersOf(sent)[index]?.enabled === undefined) trigger.enabled = false;
    }),
    'copies enabled from another trigger if it is omitted': changesUpdateResponse(({ spec }, sent) => {
      const isOther = triggersOf(sent).some(({ enabled }) => enabled === false);
      for (const [index, trigger] of (spec.triggers ?? []).entries())
        if (isOther && triggersOf(sent)[index]?.enabled === undefined) trigger.enabled = false;
    }),
    'returns an agent as enabled but does not serve it if enabled is omitted': afterUpdates(({ spec }, ctx) => {
      if (!isAccepted(ctx) || spec?.enabled !== undefined) return;
      change(ctx, agentName(ctx), (resource) => ({ ...resource, spec: { ...resource.spec, enabled: false } }));
    }),
  },

  'agents.update.idempotent': {
    'adds a trigger again if an update is repeated': stateful(() => {
      const isRepeated = repeats();
      return changesUpdateResponse(({ spec }, sent, ctx) => {
        const [first] = spec.triggers ?? [];
        if (isRepeated(agentName(ctx), sent) && first !== undefined)
          spec.triggers?.push({ ...first, id: `${first.id}-again` });
      });
    }),
    'refuses the third update of an mk3 agent': stateful(() => {
      const isRepeated = repeats(3);
      return afterUpdates((sent, ctx) => {
        if (isAccepted(ctx) && isMk3(sent) && isRepeated(agentName(ctx), sent)) refuseWith(ctx, 400);
      });
    }),
    'increases max scale if an update is repeated': stateful(() => {
      const isRepeated = repeats();
      return changesUpdateResponse(({ spec }, sent, ctx) => {
        if (isRepeated(agentName(ctx), sent) && spec.runtime?.maxScale !== undefined) spec.runtime.maxScale += 1;
      });
    }),
    'treats trigger ids of the previous update as taken': stateful(() => {
      const isRepeated = repeats();
      return changesUpdateResponse(({ spec }, sent, ctx) => {
        if (!isRepeated(agentName(ctx), sent)) return;
        for (const trigger of spec.triggers ?? []) trigger.id = `${trigger.id}-2`;
      });
    }),
  },
};

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
