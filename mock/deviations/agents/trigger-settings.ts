/** Deviations of the timeouts and schedules of triggers. */
import { deviationsOf } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { storesRefusedUpdate, refusesUpdate, triggersOf, withMembers } from './agent-updates.ts';
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

const isLong: TriggerPredicate = (trigger) => timeoutOf(trigger) > 900;
const takesTimeout = (what: string, concerns: TriggerPredicate): Deviation =>
  acceptsTrigger(what, isLong, concerns, (trigger) => configured(trigger, { timeout: 900 }));

/** On mk2, where the response has it as sent. */
const returnsTimeout = (
  what: string,
  concerns: TriggerPredicate,
  concernsSent: (sent: SentAgent) => boolean = () => true,
): Deviation =>
  acceptsTrigger(
    what,
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
const takesSchedule = (what: string, concerns: TriggerPredicate): Deviation =>
  acceptsTrigger(what, hasOtherFields, concerns, (trigger) => configured(trigger, { schedule: '0 9 * * 1' }));

const refusesSchedule = (what: string, is: (schedule: string) => boolean): Deviation =>
  refusesUpdate(what, (sent) => triggersOf(sent).some((trigger) => is(scheduleOf(trigger) ?? '')));

export const triggerSettingsDeviations: Deviations = deviationsOf({
  'agents.triggers.timeout-at-most-900': {
    '': takesTimeout('Accepts a timeout of 901', (trigger) => timeoutOf(trigger) === 901),
    exactly: refusesUpdate('Refuses a timeout of 900', (sent) =>
      triggersOf(sent).some((trigger) => timeoutOf(trigger) === 900),
    ),
    last: takesTimeout('Does not validate the timeout of the last of several triggers', isLast),
    'not-enabled': takesTimeout('Does not validate the timeout of a disabled trigger', isDisabled),
    overflow: takesTimeout(
      'Reads a timeout of 2^32 or more modulo 2^32',
      (trigger) => timeoutOf(trigger) >= 2 ** 32 && timeoutOf(trigger) % 2 ** 32 <= 1000,
    ),
    'has-id': takesTimeout('Does not validate the timeout of a trigger that has an id', hasId),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for a timeout',
      (sent) => triggersOf(sent).some(isLong),
      withMembers('triggers'),
    ),
    'in-spite-enabled': storesRefusedUpdate(
      'Disables an agent by an update refused for a timeout',
      (sent) => triggersOf(sent).some(isLong),
      withMembers('enabled'),
    ),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for a timeout', (sent) =>
      triggersOf(sent).some(isLong),
    ),
  },

  'agents.triggers.timeout-mk3-only': {
    '': returnsTimeout('Accepts mk2 timeouts of up to 30 seconds', (trigger) => timeoutOf(trigger) <= 30),
    unnamed: returnsTimeout(
      'Accepts a timeout for mk2 if an update does not name the generation',
      () => true,
      ({ spec }) => spec?.runtime?.generation === undefined,
    ),
    'has-id': returnsTimeout('Accepts a timeout for mk2 in a trigger that has an id', hasId),
    last: returnsTimeout('Accepts a timeout for mk2 in the last of several triggers', isLast),
    'not-enabled': returnsTimeout('Accepts a timeout for mk2 in a disabled trigger', isDisabled),
  },

  'agents.triggers.schedule-five-fields': {
    '': takesSchedule('Accepts a schedule of six fields', (trigger) => fieldsOf(trigger) === 6),
    nickname: takesSchedule('Accepts @daily as a schedule', (trigger) => scheduleOf(trigger) === '@daily'),
    seven: takesSchedule('Accepts a schedule of seven fields', (trigger) => fieldsOf(trigger) === 7),
    last: takesSchedule('Does not validate the schedule of the last of several triggers', isLast),
    'not-enabled': takesSchedule('Does not validate the schedule of a disabled trigger', isDisabled),
    blank: takesSchedule('Accepts a blank schedule as none', (trigger) => scheduleOf(trigger)?.trim() === ''),
    sunday: refusesSchedule('Refuses Sunday as 0', (schedule) => schedule.endsWith(' 0')),
    'range-with-step': refusesSchedule('Refuses a range with a step', (schedule) => /\d-\d+\//.test(schedule)),
    'last-day': refusesSchedule('Refuses day 31', (schedule) => /^\S+ \S+ 31 /.test(schedule)),
    'has-id': takesSchedule('Does not validate the schedule of a trigger that has an id', hasId),
    'in-spite-triggers': storesRefusedUpdate(
      'Sets the triggers of an update refused for a schedule',
      (sent) => triggersOf(sent).some(hasOtherFields),
      withMembers('triggers'),
    ),
    'in-spite-enabled': storesRefusedUpdate(
      'Disables an agent by an update refused for a schedule',
      (sent) => triggersOf(sent).some(hasOtherFields),
      withMembers('enabled'),
    ),
    'in-spite': storesRefusedUpdate('Stores the metadata of an update refused for a schedule', (sent) =>
      triggersOf(sent).some(hasOtherFields),
    ),
  },
});
