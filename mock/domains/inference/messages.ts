/** Messages that tools of functions sent. */
import type { SentMessage } from '../../state/inference.ts';
import type { WorldState } from '../../state/world-state.ts';

/** Older ones are dropped. */
const MAX_MESSAGES = 1000;
/** Characters of all messages. */
const MAX_LENGTH = 16 * 2 ** 20;

export function recordMessage({ inference, clock }: WorldState, message: Omit<SentMessage, 'at'>): void {
  const { messages } = inference;
  messages.push({ at: clock.now(), ...message });
  let length = messages.reduce((sum, each) => sum + lengthOf(each), 0);
  while (messages.length > 1 && (messages.length > MAX_MESSAGES || length > MAX_LENGTH))
    length -= lengthOf(messages.shift() ?? message);
}

function lengthOf({ to, subject, text }: Pick<SentMessage, 'to' | 'subject' | 'text'>): number {
  return to.length + subject.length + text.length;
}
