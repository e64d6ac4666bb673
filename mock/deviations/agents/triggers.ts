/** Deviations of the types, ids and callback secrets of triggers. */
import { stateful, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { change } from '../writes.ts';
import {
  acceptsUpdate,
  agentName,
  changesUpdateResponse,
  changesLaterResponses,
  triggersOf,
  withTriggers,
  storedInPart,
} from './agent-updates.ts';
import type { SentAgent, AgentResponse } from './agent-updates.ts';
import { hasId, isLast, isDisabled, acceptsTrigger } from './trigger-updates.ts';
import type { TriggerPredicate } from './trigger-updates.ts';

const types: readonly string[] = ['http', 'http-async', 'cron'];
const isUnknown = ({ type }: Trigger): boolean => typeof type === 'string' && !types.includes(type);

const takesType = (concerns: TriggerPredicate): Fault =>
  acceptsTrigger(isUnknown, concerns, (trigger) => ({ ...trigger, type: 'http', configuration: {} }));

/** Of the triggers that the agent has. */
function knownIds(ctx: Context): ReadonlySet<unknown> {
  const kept = change(ctx, agentName(ctx), (agent) => agent)?.spec['triggers'] as readonly Trigger[] | undefined;
  return new Set(kept?.map(({ id }) => id));
}

/** Returns other ids: `edit` gets each trigger with the one that was sent. */
function ids(edit: (returned: Trigger, sent: Trigger, all: readonly Trigger[]) => string | undefined): Fault {
  return changesUpdateResponse(({ spec }, sent) => {
    const all = triggersOf(sent);
    for (const [index, trigger] of (spec.triggers ?? []).entries()) {
      const id = edit(trigger, all[index] ?? {}, all);
      if (id === undefined) delete trigger.id;
      else trigger.id = id;
    }
  });
}

export const triggersDeviations: Table = {
  'agents.triggers.type-known': {
    'accepts websocket as a type': takesType(({ type }) => String(type) === 'websocket'),
    'accepts http_async as http-async': takesType(({ type }) => String(type) === 'http_async'),
    'accepts types in any letter case': takesType(({ type }) => types.includes(String(type).toLowerCase())),
    'does not validate the type of the last of several triggers': takesType(isLast),
    'does not validate the type of triggers after the fourth': takesType((_, index) => index > 3),
    'does not validate the type of a disabled trigger': takesType(isDisabled),
    'does not validate the type of a trigger that has an id': takesType(hasId),
    'does not validate the type of a trigger with a known id': acceptsUpdate(
      (sent, ctx) =>
        triggersOf(sent)
          .filter(isUnknown)
          .every(({ id }) => id !== undefined && knownIds(ctx).has(id)),
      (sent) => withTriggers(sent, (each) => (isUnknown(each) ? { ...each, type: 'http' } : each)),
    ),
    ...storedInPart('a type', (sent) => triggersOf(sent).some(isUnknown), 'triggers', 'enabled', 'metadata'),
  },

  'agents.triggers.ids-distinct': {
    'accepts one id for triggers of two types': ids((returned, { id, type }, all) =>
      id !== undefined && all.filter((other) => other.id === id && other.type === type).length === 1 ? id : returned.id,
    ),
    'assigns the id of the second trigger to the third of one id': ids((returned, { id }, all) =>
      id !== undefined && all.filter((other) => other.id === id).length > 2 && returned.id !== id
        ? `${id}-2`
        : returned.id,
    ),
    'replaces a duplicate id by one that another trigger has': ids((returned, { id }, all) =>
      id !== undefined && returned.id !== id && all.some((other) => other.id === `${id}-2`) ? `${id}-2` : returned.id,
    ),
    'generates no id for a disabled trigger': ids((returned, { id, enabled }) =>
      id === undefined && enabled === false ? undefined : returned.id,
    ),
    'accepts several empty ids': ids((returned, { id }) => (id === '' ? '' : returned.id)),
    'generates ids by position that clients may have sent back': ids((returned, sent, all) =>
      sent.id === undefined ? `made-${all.indexOf(sent)}` : returned.id,
    ),
    'generates one id for all triggers of a type': ids((returned, { id, type }) =>
      id === undefined ? `made-${type}` : returned.id,
    ),
  },

  'agents.triggers.callback-secret-is-the-servers': {
    "returns the client's secret for a trigger that has an id": secrets(
      ({ id, type }) => id !== undefined && type === 'http-async',
    ),
    "returns the client's secret for a trigger of type http": secrets(({ type }) => type === 'http'),
    "returns the client's secret if it looks like a generated one": secrets(
      ({ configuration }) => configuration?.callbackSecret?.startsWith('assay') === false,
    ),
    "returns the client's secret from the second update on": stateful(() => {
      const updated = new Set<string>();
      return changesUpdateResponse((returned, sent, ctx) => {
        if (updated.has(agentName(ctx))) setSecrets(returned, sent, () => true);
        updated.add(agentName(ctx));
      });
    }),
    "returns the client's secret only when the agent is read": stateful(() => {
      const updates = new Map<string, SentAgent>();
      return changesLaterResponses(
        (sent, ctx) => void updates.set(agentName(ctx), sent),
        (returned, ctx) => setSecrets(returned, updates.get(agentName(ctx)) ?? {}, () => true),
      );
    }),
    'generates no secret for a disabled trigger': changesUpdateResponse(({ spec }) => {
      for (const { enabled, configuration } of spec.triggers ?? [])
        if (enabled === false) delete configuration?.callbackSecret;
    }),
    'generates a secret for the first trigger only': changesUpdateResponse(({ spec }) => {
      for (const { configuration } of spec.triggers?.slice(1) ?? []) delete configuration?.callbackSecret;
    }),
  },
};

function secrets(concerns: (sent: Trigger) => boolean): Fault {
  return changesUpdateResponse((returned, sent) => setSecrets(returned, sent, concerns));
}

function setSecrets({ spec }: AgentResponse, sent: SentAgent, concerns: (sent: Trigger) => boolean): void {
  for (const [index, request] of triggersOf(sent).entries()) {
    const returned = spec.triggers?.[index];
    const callbackSecret = request.configuration?.callbackSecret;
    if (returned === undefined || callbackSecret === undefined || !concerns(request)) continue;
    returned.configuration = { ...returned.configuration, callbackSecret };
  }
}
