/** Deviations of the types, ids and callback secrets of triggers. */
import { deviationsOf } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { change } from '../writes.ts';
import {
  acceptsUpdate,
  agentName,
  changesUpdateResponse,
  storesRefusedUpdate,
  changesLaterResponses,
  triggersOf,
  withMembers,
  withTriggers,
} from './agent-updates.ts';
import type { SentAgent, AgentResponse } from './agent-updates.ts';
import { hasId, isLast, isDisabled, acceptsTrigger } from './trigger-updates.ts';
import type { TriggerPredicate } from './trigger-updates.ts';

const types: readonly string[] = ['http', 'http-async', 'cron'];
const isUnknown = ({ type }: Trigger): boolean => typeof type === 'string' && !types.includes(type);

const takesType = (what: string, concerns: TriggerPredicate): Deviation =>
  acceptsTrigger(what, isUnknown, concerns, (trigger) => ({ ...trigger, type: 'http', configuration: {} }));

/** Of the triggers that the agent has. */
function knownIds(ctx: Context): ReadonlySet<unknown> {
  const kept = change(ctx, agentName(ctx), (agent) => agent)?.spec['triggers'] as readonly Trigger[] | undefined;
  return new Set(kept?.map(({ id }) => id));
}

/** Returns other ids: `edit` gets each trigger with the one that was sent. */
function ids(
  what: string,
  edit: (returned: Trigger, sent: Trigger, all: readonly Trigger[]) => string | undefined,
): Deviation {
  return changesUpdateResponse(what, ({ spec }, sent) => {
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
    '': takesType('Accepts websocket as a type', ({ type }) => String(type) === 'websocket'),
    underscore: takesType('Accepts http_async as http-async', ({ type }) => String(type) === 'http_async'),
    'letter-case': takesType('Accepts types in any letter case', ({ type }) =>
      types.includes(String(type).toLowerCase()),
    ),
    last: takesType('Does not validate the type of the last of several triggers', isLast),
    many: takesType('Does not validate the type of triggers after the fourth', (_, index) => index > 3),
    'not-enabled': takesType('Does not validate the type of a disabled trigger', isDisabled),
    'has-id': takesType('Does not validate the type of a trigger that has an id', hasId),
    'known-id': acceptsUpdate(
      'Does not validate the type of a trigger with a known id',
      (sent, ctx) =>
        triggersOf(sent)
          .filter(isUnknown)
          .every(({ id }) => id !== undefined && knownIds(ctx).has(id)),
      (sent) => withTriggers(sent, (each) => (isUnknown(each) ? { ...each, type: 'http' } : each)),
    ),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for a type',
      (sent) => triggersOf(sent).some(isUnknown),
      withMembers('triggers'),
    ),
    'in-spite-enabled': storesRefusedUpdate(
      'Disables an agent by an update refused for a type',
      (sent) => triggersOf(sent).some(isUnknown),
      withMembers('enabled'),
    ),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for a type', (sent) =>
      triggersOf(sent).some(isUnknown),
    ),
  },

  'agents.triggers.ids-distinct': {
    '': ids('Accepts one id for triggers of two types', (returned, { id, type }, all) =>
      id !== undefined && all.filter((other) => other.id === id && other.type === type).length === 1 ? id : returned.id,
    ),
    third: ids('Assigns the id of the second trigger to the third of one id', (returned, { id }, all) =>
      id !== undefined && all.filter((other) => other.id === id).length > 2 && returned.id !== id
        ? `${id}-2`
        : returned.id,
    ),
    taken: ids('Replaces a duplicate id by one that another trigger has', (returned, { id }, all) =>
      id !== undefined && returned.id !== id && all.some((other) => other.id === `${id}-2`) ? `${id}-2` : returned.id,
    ),
    none: ids('Generates no id for a disabled trigger', (returned, { id, enabled }) =>
      id === undefined && enabled === false ? undefined : returned.id,
    ),
    empty: ids('Accepts several empty ids', (returned, { id }) => (id === '' ? '' : returned.id)),
    made: ids('Generates one id for all triggers of a type', (returned, { id, type }) =>
      id === undefined ? `made-${type}` : returned.id,
    ),
  },

  'agents.triggers.callback-secret-is-the-servers': {
    '': secrets(
      "Returns the client's secret for a trigger that has an id",
      ({ id, type }) => id !== undefined && type === 'http-async',
    ),
    http: secrets("Returns the client's secret for a trigger of type http", ({ type }) => type === 'http'),
    'same-form': secrets(
      "Returns the client's secret if it looks like a generated one",
      ({ configuration }) => configuration?.callbackSecret?.startsWith('assay') === false,
    ),
    'second-time': statefulDeviation("Returns the client's secret from the second update on", (what) => {
      const updated = new Set<string>();
      return changesUpdateResponse(what, (returned, sent, ctx) => {
        if (updated.has(agentName(ctx))) setSecrets(returned, sent, () => true);
        updated.add(agentName(ctx));
      });
    }),
    read: statefulDeviation("Returns the client's secret only when the agent is read", (what) => {
      const updates = new Map<string, SentAgent>();
      return changesLaterResponses(
        what,
        (sent, ctx) => void updates.set(agentName(ctx), sent),
        (returned, ctx) => setSecrets(returned, updates.get(agentName(ctx)) ?? {}, () => true),
      );
    }),
    none: changesUpdateResponse('Generates no secret for a disabled trigger', ({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? [])
        if (enabled === false) delete configuration?.callbackSecret;
    }),
    'first-only': changesUpdateResponse('Generates a secret for the first trigger only', ({ spec }) => {
      for (const { configuration } of spec.triggers?.slice(1) ?? []) delete configuration?.callbackSecret;
    }),
  },
});

function secrets(what: string, concerns: (sent: Trigger) => boolean): Deviation {
  return changesUpdateResponse(what, (returned, sent) => setSecrets(returned, sent, concerns));
}

function setSecrets({ spec }: AgentResponse, sent: SentAgent, concerns: (sent: Trigger) => boolean): void {
  for (const [index, request] of triggersOf(sent).entries()) {
    const returned = spec.triggers?.[index];
    const callbackSecret = request.configuration?.callbackSecret;
    if (returned === undefined || callbackSecret === undefined || !concerns(request)) continue;
    returned.configuration = { ...returned.configuration, callbackSecret };
  }
}
