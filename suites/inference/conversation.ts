/** Tells an agent words and asks for them later: what an answer gives away shows where the word was remembered. */
import { createHash } from 'node:crypto';
import { headerNames } from '../../spec/brand.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';

/** Undefined: a call without the header. */
export type Thread = string | undefined;

interface Told {
  readonly thread: Thread;
  readonly word: string;
  readonly exchange: Exchange;
}

/** With one agent. Every word is told once: an answer that holds it, other than to that very call, remembers it. */
export interface Conversation {
  /** Tells a new word, and judges the answer as `ask` does. */
  readonly tell: (thread: Thread) => Promise<Heard>;
  readonly ask: (thread: Thread) => Promise<Heard>;
  /** How many calls were answered 2xx. */
  readonly answered: () => number;
}

export interface Heard {
  readonly exchange: Exchange;
  /** The words in the answer that this thread must not know. */
  readonly mismatches: readonly Mismatch[];
}

const QUESTION = 'Which words did I ask you to remember?';

/** `mayKnow` says whether an answer in the one thread may hold what was told in the other. */
export function converse(run: Run, agent: string, mayKnow: (asked: Thread, told: Thread) => boolean): Conversation {
  const told: Told[] = [];
  let answered = 0;

  async function say(thread: Thread, inputs: string): Promise<Heard> {
    const before = [...told];
    const headers = thread === undefined ? {} : { [headerNames(run.target.brand).threadId]: thread };
    const exchange = await run.client.call('queryAgent', { path: { agent }, body: { inputs }, headers });
    if (isSuccessful(exchange)) answered += 1;
    const forbidden = before.filter((each) => !mayKnow(thread, each.thread));
    return { exchange, mismatches: forbidden.flatMap((each) => leaked(exchange, thread, each)) };
  }

  async function tell(thread: Thread): Promise<Heard> {
    const word = newWord(run);
    const heard = await say(thread, `Please remember the word ${word}.`);
    told.push({ thread, word, exchange: heard.exchange });
    return heard;
  }

  return { tell, ask: (thread) => say(thread, QUESTION), answered: () => answered };
}

/** Twelve letters that stand in no answer by chance. */
function newWord(run: Run): string {
  const digest = createHash('sha256').update(run.newName()).digest();
  return [...digest.subarray(0, 12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

function leaked(exchange: Exchange, asked: Thread, { thread, word, exchange: before }: Told): Mismatch[] {
  if (!exchange.response.text.toLowerCase().includes(word)) return [];
  return [
    {
      expected: `an answer ${named(asked)} that knows nothing told ${named(thread)}`,
      actual: `the word ${word}, told ${named(thread)}`,
      exchange,
      before: [before],
    },
  ];
}

const named = (thread: Thread): string =>
  thread === undefined ? 'without a thread' : `in thread ${JSON.stringify(thread)}`;
