/** Faults in the timeouts and schedules of triggers. */
import { deviationsOf } from '../table.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { keepsInSpite, refusesUpdate, triggersOf, withMembers } from './faults.ts';
import type { SentAgent } from './faults.ts';
import { hasId, isLast, isOff, takes } from './trigger-faults.ts';
import type { Is } from './trigger-faults.ts';

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

const isLong: Is = (trigger) => timeoutOf(trigger) > 900;
const takesTimeout = (what: string, concerns: Is): Deviation =>
  takes(what, isLong, concerns, (trigger) => configured(trigger, { timeout: 900 }));

/** On mk2, where it is answered as it was sent. */
const returnsTimeout = (
  what: string,
  concerns: Is,
  concernsSent: (sent: SentAgent) => boolean = () => true,
): Deviation =>
  takes(
    what,
    (trigger) => timeoutOf(trigger) > 0,
    concerns,
    (trigger) => configured(trigger, { timeout: undefined }),
    {
      concernsSent,
      answer: ({ spec }, sent) => {
        for (const [index, trigger] of triggersOf(sent).entries()) {
          const shown = spec.triggers?.[index];
          if (shown !== undefined && timeoutOf(trigger) > 0)
            shown.configuration = { ...shown.configuration, timeout: timeoutOf(trigger) };
        }
      },
    },
  );

const hasOtherFields: Is = (trigger) => fieldsOf(trigger) !== 5;
const takesSchedule = (what: string, concerns: Is): Deviation =>
  takes(what, hasOtherFields, concerns, (trigger) => configured(trigger, { schedule: '0 9 * * 1' }));

const refusesSchedule = (what: string, is: (schedule: string) => boolean): Deviation =>
  refusesUpdate(what, (sent) => triggersOf(sent).some((trigger) => is(scheduleOf(trigger) ?? '')));

export const triggerSettingsDeviations: Deviations = deviationsOf({
  'agents.triggers.timeout-at-most-900': {
    '': takesTimeout('takes a timeout of 901', (trigger) => timeoutOf(trigger) === 901),
    exactly: refusesUpdate('refuses a timeout of 900', (sent) =>
      triggersOf(sent).some((trigger) => timeoutOf(trigger) === 900),
    ),
    last: takesTimeout('does not look at the timeout of the last of several triggers', isLast),
    'not-enabled': takesTimeout('does not look at the timeout of a trigger that is not enabled', isOff),
    overflow: takesTimeout(
      'takes a timeout of 2^32 and more for what is left of it',
      (trigger) => timeoutOf(trigger) >= 2 ** 32 && timeoutOf(trigger) % 2 ** 32 <= 1000,
    ),
    'has-id': takesTimeout('does not look at the timeout of a trigger that has an id', hasId),
    'in-spite-triggers': keepsInSpite(
      'sets the triggers of an update that it refuses for a timeout',
      (sent) => triggersOf(sent).some(isLong),
      withMembers('triggers'),
    ),
    'in-spite-enabled': keepsInSpite(
      'disables an agent by an update that it refuses for a timeout',
      (sent) => triggersOf(sent).some(isLong),
      withMembers('enabled'),
    ),
    'in-spite': keepsInSpite('keeps the metadata of an update that it refuses for a timeout', (sent) =>
      triggersOf(sent).some(isLong),
    ),
  },

  'agents.triggers.timeout-mk3-only': {
    '': returnsTimeout('gives mk2 timeouts of up to 30 seconds', (trigger) => timeoutOf(trigger) <= 30),
    unnamed: returnsTimeout(
      'gives mk2 a timeout where an update does not name the generation',
      () => true,
      ({ spec }) => spec?.runtime?.generation === undefined,
    ),
    'has-id': returnsTimeout('gives mk2 a timeout in a trigger that has an id', hasId),
    last: returnsTimeout('gives mk2 a timeout in the last of several triggers', isLast),
    'not-enabled': returnsTimeout('gives mk2 a timeout where the trigger is not enabled', isOff),
  },

  'agents.triggers.schedule-five-fields': {
    '': takesSchedule('takes a schedule of six fields', (trigger) => fieldsOf(trigger) === 6),
    nickname: takesSchedule('takes @daily as a schedule', (trigger) => scheduleOf(trigger) === '@daily'),
    seven: takesSchedule('takes a schedule of seven fields', (trigger) => fieldsOf(trigger) === 7),
    last: takesSchedule('does not look at the schedule of the last of several triggers', isLast),
    'not-enabled': takesSchedule('does not look at the schedule of a trigger that is not enabled', isOff),
    blank: takesSchedule('takes a blank schedule for none', (trigger) => scheduleOf(trigger)?.trim() === ''),
    sunday: refusesSchedule('refuses Sunday as 0', (schedule) => schedule.endsWith(' 0')),
    'range-with-step': refusesSchedule('refuses a range with a step', (schedule) => /\d-\d+\//.test(schedule)),
    'last-day': refusesSchedule('refuses day 31', (schedule) => /^\S+ \S+ 31 /.test(schedule)),
    'has-id': takesSchedule('does not look at the schedule of a trigger that has an id', hasId),
    'in-spite-triggers': keepsInSpite(
      'sets the triggers of an update that it refuses for a schedule',
      (sent) => triggersOf(sent).some(hasOtherFields),
      withMembers('triggers'),
    ),
    'in-spite-enabled': keepsInSpite(
      'disables an agent by an update that it refuses for a schedule',
      (sent) => triggersOf(sent).some(hasOtherFields),
      withMembers('enabled'),
    ),
    'in-spite': keepsInSpite('keeps the metadata of an update that it refuses for a schedule', (sent) =>
      triggersOf(sent).some(hasOtherFields),
    ),
  },
});
