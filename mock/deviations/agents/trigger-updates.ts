/** Common ways to handle the triggers of an update wrongly. */
import type { Fault } from '../deviation.ts';
import type { Trigger } from '../../../spec/generated/types.ts';
import { acceptsUpdate, triggersOf, withTriggers } from './agent-updates.ts';
import type { SentAgent, AgentResponse } from './agent-updates.ts';

export type TriggerPredicate = (trigger: Trigger, index: number, all: readonly Trigger[]) => boolean;

export const isLast: TriggerPredicate = (_, index, all) => all.length > 1 && index === all.length - 1;
export const isDisabled: TriggerPredicate = ({ enabled }) => enabled === false;
export const hasId: TriggerPredicate = ({ id }) => id !== undefined;

/** Accepts triggers with one kind of mistake, if every trigger with that mistake matches the condition. */
export function acceptsTrigger(
  isWrong: TriggerPredicate,
  concerns: TriggerPredicate,
  corrected: (trigger: Trigger) => object,
  more: {
    answer?: (returned: AgentResponse, sent: SentAgent) => void;
    concernsSent?: (sent: SentAgent) => boolean;
  } = {},
): Fault {
  return acceptsUpdate(
    (sent) => {
      const each = triggersOf(sent).map((trigger, index, all) => [trigger, index, all] as const);
      const wrong = each.filter((one) => isWrong(...one));
      const isConcerned = more.concernsSent?.(sent) ?? true;
      return isConcerned && wrong.length > 0 && wrong.every((one) => concerns(...one));
    },
    (sent) => withTriggers(sent, (each, index) => (isWrong(each, index, triggersOf(sent)) ? corrected(each) : each)),
    more.answer,
  );
}
