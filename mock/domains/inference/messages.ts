/** Messages that tools of functions sent. */
import type { SentMessage } from '../../state/inference.ts';
import type { WorldState } from '../../state/world-state.ts';

/** Older ones are dropped. */
const MAX_MESSAGES = 1000;

export function recordMessage({ inference, clock }: WorldState, message: Omit<SentMessage, 'at'>): void {
  inference.messages.push({ at: clock.now(), ...message });
  if (inference.messages.length > MAX_MESSAGES) inference.messages.shift();
}
