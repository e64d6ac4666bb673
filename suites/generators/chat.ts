/** A conversation that a model is asked to go on with: at most one word of the system, then user and assistant in turns. */
import * as fc from 'fast-check';
import { question, questions } from './question.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

const inTurns = (contents: readonly string[]): Message[] =>
  contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));

const system: Message = { role: 'system', content: 'Answer in one word.' };

/** Ends with the user; of up to 7 messages. */
export const chat: fc.Arbitrary<Message[]> = fc
  .record({ hasSystem: fc.boolean(), contents: fc.array(question, { minLength: 1, maxLength: 6 }) })
  .map(({ hasSystem, contents }) => [
    ...(hasSystem ? [system] : []),
    ...inTurns(contents.slice(0, contents.length - ((contents.length + 1) % 2))),
  ]);

/** To be tried first: one of every length, and every odd text. */
export const chats: readonly Message[][] = [
  ...questions.map((text) => inTurns([text])),
  inTurns(['hello', 'Hi!', 'What did I say?']),
  [system, ...inTurns(['hello'])],
  [system, ...inTurns(['hello', 'Hi!', 'What did I say?', 'Hello.', 'And before?'])],
  inTurns(Array.from({ length: 21 }, (_, at) => `This is message ${at}.`)),
];
