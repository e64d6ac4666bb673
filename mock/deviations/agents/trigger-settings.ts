/** Deviations of the timeouts and schedules of triggers. */
import { stateful, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import { agentName, changesUpdateResponse, isMk3, refusesUpdate, triggersOf, storedInPart } from './agent-updates.ts';
import type { SentAgent } from './agent-updates.ts';
import { hasId, isLast, isDisabled, acceptsTrigger } from './trigger-updates.ts';
import type { TriggerPredicate } from './trigger-updates.ts';

const timeoutOf = ({ configuration }: Trigger): number => {
  const timeout: unknown = configuration?.timeout;
  return Number.isInteger(timeout) ? Number(timeout) : 0;
};
const scheduleOf = ({ configuration }: Trigger): string | undefined => {
  const schedule: unknown = configuration?.schedule;
  return typeof schedule === 'string' ? schedule : undefined;
};
const fieldsOf = (trigger: Trigger): number => scheduleOf(trigger)?.trim().split(/\s+/).length ?? 5;
const configured = (trigger: Trigger, configuration: object): object => ({
  ...trigger,
  configuration: { ...trigger.configuration, ...configuration },
});

const hasNoCallbackUrl: TriggerPredicate = ({ configuration }) => configuration?.callbackUrl === undefined;
const hasRetries: TriggerPredicate = ({ configuration }) => (configuration?.retry ?? 0) > 0;

const isLong: TriggerPredicate = (trigger) => timeoutOf(trigger) > 900;
const takesTimeout = (concerns: TriggerPredicate): Fault =>
  acceptsTrigger(isLong, concerns, (trigger) => configured(trigger, { timeout: 900 }));

/** On mk2, where the response has it as sent. */
const returnsTimeout = (concerns: TriggerPredicate, concernsSent: (sent: SentAgent) => boolean = () => true): Fault =>
  acceptsTrigger(
    (trigger) => timeoutOf(trigger) > 0,
    concerns,
    (trigger) => configured(trigger, { timeout: undefined }),
    {
      concernsSent,
      answer: ({ spec }, sent) => {
        for (const [index, trigger] of triggersOf(sent).entries()) {
          const returned = spec.triggers?.[index];
          if (returned !== undefined && timeoutOf(trigger) > 0)
            returned.configuration = { ...returned.configuration, timeout: timeoutOf(trigger) };
        }
      },
    },
  );

const hasOtherFields: TriggerPredicate = (trigger) => fieldsOf(trigger) !== 5;
const takesSchedule = (concerns: TriggerPredicate): Fault =>
  acceptsTrigger(hasOtherFields, concerns, (trigger) => configured(trigger, { schedule: '0 9 * * 1' }));

const refusesSchedule = (is: (schedule: string) => boolean): Fault =>
  refusesUpdate((sent) => triggersOf(sent).some((trigger) => is(scheduleOf(trigger) ?? '')));

export const triggerSettingsDeviations: Table = {
  'agents.triggers.timeout-at-most-900': {
    'accepts a timeout of 901': takesTimeout((trigger) => timeoutOf(trigger) === 901),
    'refuses a timeout of 900': refusesUpdate((sent) => triggersOf(sent).some((trigger) => timeoutOf(trigger) === 900)),
    'does not validate the timeout of the last of several triggers': takesTimeout(isLast),
    'does not validate the timeout of a disabled trigger': takesTimeout(isDisabled),
    'reads a timeout of 2^32 or more modulo 2^32': takesTimeout(
      (trigger) => timeoutOf(trigger) >= 2 ** 32 && timeoutOf(trigger) % 2 ** 32 <= 1000,
    ),
    'does not validate the timeout of a trigger that has an id': takesTimeout(hasId),
    'does not validate the timeout of a trigger without a callback URL': takesTimeout(hasNoCallbackUrl),
    'does not validate the timeout of a trigger with retries': takesTimeout(hasRetries),
    ...storedInPart('a timeout', (sent) => triggersOf(sent).some(isLong), 'triggers', 'enabled', 'metadata'),
  },

  'agents.triggers.timeout-mk3-only': {
    'accepts mk2 timeouts of up to 30 seconds': returnsTimeout((trigger) => timeoutOf(trigger) <= 30),
    'accepts a timeout for mk2 if an update does not name the generation': returnsTimeout(
      () => true,
      ({ spec }) => spec?.runtime?.generation === undefined,
    ),
    'accepts a timeout for mk2 in a trigger that has an id': returnsTimeout(hasId),
    'accepts a timeout for mk2 in the last of several triggers': returnsTimeout(isLast),
    'keeps the timeout of an agent that is moved to mk2': stateful(() => {
      const timeouts = new Map<string, number>();
      return changesUpdateResponse(({ spec }, sent, ctx) => {
        const timeout = Math.max(0, ...triggersOf(sent).map(timeoutOf));
        if (isMk3(sent) && timeout > 0) timeouts.set(agentName(ctx), timeout);
        const kept = isMk3({ spec }) ? undefined : timeouts.get(agentName(ctx));
        if (kept === undefined) return;
        for (const trigger of spec.triggers ?? [])
          if (trigger.type === 'http-async') trigger.configuration = { ...trigger.configuration, timeout: kept };
      });
    }),
    'accepts a timeout for mk2 in a disabled trigger': returnsTimeout(isDisabled),
    'accepts a timeout for mk2 in a trigger without a callback URL': returnsTimeout(hasNoCallbackUrl),
    'accepts a timeout for mk2 in a trigger with retries': returnsTimeout(hasRetries),
  },

  'agents.triggers.schedule-five-fields': {
    'accepts a schedule of six fields': takesSchedule((trigger) => fieldsOf(trigger) === 6),
    'accepts @daily as a schedule': takesSchedule((trigger) => scheduleOf(trigger) === '@daily'),
    'accepts a schedule of seven fields': takesSchedule((trigger) => fieldsOf(trigger) === 7),
    'does not validate the schedule of the last of several triggers': takesSchedule(isLast),
    'does not validate the schedule of a disabled trigger': takesSchedule(isDisabled),
    'accepts a blank schedule as none': takesSchedule((trigger) => scheduleOf(trigger)?.trim() === ''),
    'counts a second space in a row as a field': takesSchedule(
      (trigger) => scheduleOf(trigger)?.trim().split(' ').length === 5,
    ),
    'counts a space at either end as a field': takesSchedule(
      (trigger) =>
        scheduleOf(trigger)
          ?.replaceAll(/\b +\b/g, ' ')
          .split(' ').length === 5,
    ),
    'refuses Sunday as 0': refusesSchedule((schedule) => schedule.endsWith(' 0')),
    'refuses a range with a step': refusesSchedule((schedule) => /\d-\d+\//.test(schedule)),
    'refuses day 31': refusesSchedule((schedule) => /^\S+ \S+ 31 /.test(schedule)),
    'does not validate the schedule of a trigger that has an id': takesSchedule(hasId),
    'accepts a schedule of six fields in a trigger with tasks': takesSchedule(
      (trigger) => fieldsOf(trigger) === 6 && (trigger.configuration?.tasks?.length ?? 0) > 0,
    ),
    'does not validate the schedule of a trigger with tasks': takesSchedule(
      ({ configuration }) => (configuration?.tasks?.length ?? 0) > 0,
    ),
    ...storedInPart('a schedule', (sent) => triggersOf(sent).some(hasOtherFields), 'triggers', 'enabled', 'metadata'),
  },
};
