/** A conversation for a model to continue. User and assistant alternate; a model need not support other roles (decision 044). */
import * as fc from 'fast-check';
import { prompt, prompts } from './prompt.ts';
import { shrinkable } from './shrinkable.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const inTurns = (contents: readonly string[]): Message[] =>
  contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));

/** Up to 5 messages, the last one by the user. */
export const chat: fc.Arbitrary<Message[]> = shrinkable(
  fc
    .array(prompt, { minLength: 1, maxLength: 6 })
    .map((contents) => inTurns(contents.slice(0, contents.length - ((contents.length + 1) % 2)))),
  (messages) => (messages.length > 2 ? [messages.slice(-1), messages.slice(2), messages.slice(0, -2)] : []),
);

/** Tested first: every length and every unusual text. */
export const chats: readonly Message[][] = [
  ...prompts.map((text) => inTurns([text])),
  inTurns(['hello', 'Hi!', 'What did I say?']),
  inTurns(['hello', 'Hi!', 'What did I say?', 'Hello.', 'And before?']),
  inTurns(Array.from({ length: 21 }, (_, at) => `This is message ${at}.`)),
];
