/** Faults in the types, ids and callback secrets of triggers. */
import { deviationsOf } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { anew } from '../anew.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { change } from '../writes.ts';
import {
  acceptsUpdate,
  agentName,
  answersUpdate,
  keepsInSpite,
  showsLater,
  triggersOf,
  withMembers,
  withTriggers,
} from './faults.ts';
import type { SentAgent, ShownAgent } from './faults.ts';
import { hasId, isLast, isOff, takes } from './trigger-faults.ts';
import type { Is } from './trigger-faults.ts';

const types: readonly string[] = ['http', 'http-async', 'cron'];
const isUnknown = ({ type }: Trigger): boolean => typeof type === 'string' && !types.includes(type);

const takesType = (what: string, concerns: Is): Deviation =>
  takes(what, isUnknown, concerns, (trigger) => ({ ...trigger, type: 'http', configuration: {} }));

/** Of the triggers that the agent has. */
function knownIds(ctx: Context): ReadonlySet<unknown> {
  const kept = change(ctx, agentName(ctx), (agent) => agent)?.spec['triggers'] as readonly Trigger[] | undefined;
  return new Set(kept?.map(({ id }) => id));
}

/** Answers other ids: `edit` gets each trigger with what was sent for it. */
function ids(
  what: string,
  edit: (shown: Trigger, sent: Trigger, all: readonly Trigger[]) => string | undefined,
): Deviation {
  return answersUpdate(what, ({ spec }, sent) => {
    const all = triggersOf(sent);
    for (const [index, trigger] of (spec.triggers ?? []).entries()) {
      const id = edit(trigger, all[index] ?? {}, all);
      if (id === undefined) delete trigger.id;
      else trigger.id = id;
    }
  });
}

export const triggersDeviations: Deviations = deviationsOf({
  'agents.triggers.type-known': {
    '': takesType('takes websocket as a type', ({ type }) => String(type) === 'websocket'),
    'letter-case': takesType('takes types in any letter case', ({ type }) =>
      types.includes(String(type).toLowerCase()),
    ),
    last: takesType('does not look at the type of the last of several triggers', isLast),
    many: takesType('does not look at the type of triggers behind four others', (_, index) => index > 3),
    'not-enabled': takesType('does not look at the type of a trigger that is not enabled', isOff),
    'has-id': takesType('does not look at the type of a trigger that has an id', hasId),
    'known-id': acceptsUpdate(
      'does not look at the type of a trigger whose id it knows',
      (sent, ctx) =>
        triggersOf(sent)
          .filter(isUnknown)
          .every(({ id }) => id !== undefined && knownIds(ctx).has(id)),
      (sent) => withTriggers(sent, (each) => (isUnknown(each) ? { ...each, type: 'http' } : each)),
    ),
    'in-spite-triggers': keepsInSpite(
      'sets the triggers of an update that it refuses for a type',
      (sent) => triggersOf(sent).some(isUnknown),
      withMembers('triggers'),
    ),
    'in-spite-enabled': keepsInSpite(
      'disables an agent by an update that it refuses for a type',
      (sent) => triggersOf(sent).some(isUnknown),
      withMembers('enabled'),
    ),
    'in-spite': keepsInSpite('keeps the metadata of an update that it refuses for a type', (sent) =>
      triggersOf(sent).some(isUnknown),
    ),
  },

  'agents.triggers.ids-distinct': {
    '': ids('lets triggers of two types have one id', (shown, { id, type }, all) =>
      id !== undefined && all.filter((other) => other.id === id && other.type === type).length === 1 ? id : shown.id,
    ),
    third: ids('gives the third of one id the id of the second', (shown, { id }, all) =>
      id !== undefined && all.filter((other) => other.id === id).length > 2 && shown.id !== id ? `${id}-2` : shown.id,
    ),
    taken: ids('makes an id distinct by one that another has', (shown, { id }, all) =>
      id !== undefined && shown.id !== id && all.some((other) => other.id === `${id}-2`) ? `${id}-2` : shown.id,
    ),
    none: ids('gives a trigger that is not enabled no id', (shown, { id, enabled }) =>
      id === undefined && enabled === false ? undefined : shown.id,
    ),
    made: ids('makes one id for all triggers of a type', (shown, { id, type }) =>
      id === undefined ? `made-${type}` : shown.id,
    ),
  },

  'agents.triggers.callback-secret-is-the-servers': {
    '': secrets(
      "answers the client's secret of a trigger that has an id",
      ({ id, type }) => id !== undefined && type === 'http-async',
    ),
    http: secrets("answers the client's secret of a trigger of type http", ({ type }) => type === 'http'),
    'same-form': secrets(
      "answers the client's secret where it has the form of its own",
      ({ configuration }) => configuration?.callbackSecret?.startsWith('assay') === false,
    ),
    'second-time': anew("answers the client's secret from the second update on", (what) => {
      const updated = new Set<string>();
      return answersUpdate(what, (shown, sent, ctx) => {
        if (updated.has(agentName(ctx))) setSecrets(shown, sent, () => true);
        updated.add(agentName(ctx));
      });
    }),
    read: anew("shows the client's secret where the agent is read alone", (what) => {
      const updates = new Map<string, SentAgent>();
      return showsLater(
        what,
        (sent, ctx) => void updates.set(agentName(ctx), sent),
        (shown, ctx) => setSecrets(shown, updates.get(agentName(ctx)) ?? {}, () => true),
      );
    }),
    none: answersUpdate('makes no secret for a trigger that is not enabled', ({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? [])
        if (enabled === false) delete configuration?.callbackSecret;
    }),
    'first-only': answersUpdate('makes a secret for the first trigger alone', ({ spec }) => {
      for (const { configuration } of spec.triggers?.slice(1) ?? []) delete configuration?.callbackSecret;
    }),
  },
});

function secrets(what: string, concerns: (sent: Trigger) => boolean): Deviation {
  return answersUpdate(what, (shown, sent) => setSecrets(shown, sent, concerns));
}

function setSecrets({ spec }: ShownAgent, sent: SentAgent, concerns: (sent: Trigger) => boolean): void {
  for (const [index, asked] of triggersOf(sent).entries()) {
    const shown = spec.triggers?.[index];
    const callbackSecret = asked.configuration?.callbackSecret;
    if (shown === undefined || callbackSecret === undefined || !concerns(asked)) continue;
    shown.configuration = { ...shown.configuration, callbackSecret };
  }
}
