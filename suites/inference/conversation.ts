/** Sends words to an agent and recalls them later: a word in a response reveals which thread remembered it. */
import { createHash } from 'node:crypto';
import { headerNames } from '../../spec/brand.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { isAwake, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import type { Client, Exchange } from '../target/client.ts';

/** Undefined: a call without the header. */
export type Thread = string | undefined;

interface SentWord {
  readonly thread: Thread;
  readonly word: string;
  /** Absent until the response arrives. */
  exchange?: Exchange;
}

interface CallInFlight {
  /** Absent if it recalls words. */
  readonly own: SentWord | undefined;
  /** Words of other calls that were in flight at the same time. */
  readonly others: Set<SentWord>;
}

/** Of all conversations with an agent: a server must not confuse calls that it gets at the same time. */
const callsByAgent = sharedValues<Set<CallInFlight>>();

/**
 * A conversation with one agent. Every word is sent once, so a response to a later call, or to one at the same time, that
 * contains it knows it from there.
 */
export interface Conversation {
  /** Sends a new word. The response is checked as that of `recall`. */
  readonly sendWord: (thread: Thread) => Promise<Reply>;
  readonly recall: (thread: Thread) => Promise<Reply>;
  /** The number of 2xx responses so far. */
  readonly successCount: () => number;
  /** The same conversation, continued by another caller. */
  readonly by: (client: Client) => Conversation;
}

export interface Reply {
  readonly thread: Thread;
  readonly exchange: Exchange;
  /** Words in the response that this thread must not know. */
  readonly mismatches: readonly Mismatch[];
}

const RECALL_PROMPT = 'Which words did I ask you to remember?';

/** `mayKnow`: whether a response in the first thread may contain a word that was sent in the second. */
export function converse(
  run: Run,
  agent: string,
  mayKnow: (request: Thread, sentWords: Thread) => boolean,
): Conversation {
  const sentWords: SentWord[] = [];
  let successCount = 0;
  // An agent may have no free instance (decision 023).
  const served = pollUntilTimeout(isAwake, run.patienceSeconds);

  async function say(client: Client, thread: Thread, inputs: string, own?: SentWord): Promise<Reply> {
    const inFlight = await callsByAgent.get(run, agent, async () => new Set());
    const call: CallInFlight = { own, others: new Set([...inFlight].flatMap((each) => each.own ?? [])) };
    if (own !== undefined) for (const { others } of inFlight) others.add(own);
    inFlight.add(call);
    const before = [...sentWords];
    const headers = thread === undefined ? {} : { [headerNames(run.target.brand).threadId]: thread };
    const send = () => client.call('queryAgent', { path: { agent }, body: { inputs }, headers });
    const exchange = await served(send).finally(() => inFlight.delete(call));
    if (isSuccessful(exchange)) successCount += 1;
    const forbidden = [...new Set([...before, ...call.others])].filter((each) => !mayKnow(thread, each.thread));
    return { thread, exchange, mismatches: forbidden.flatMap((each) => leaked(exchange, thread, each)) };
  }

  async function sendWord(client: Client, thread: Thread): Promise<Reply> {
    const own: SentWord = { thread, word: newWord(run) };
    const turn = await say(client, thread, `Please remember the word ${own.word}.`, own);
    own.exchange = turn.exchange;
    sentWords.push(own);
    return turn;
  }

  const by = (client: Client): Conversation => ({
    sendWord: (thread) => sendWord(client, thread),
    recall: (thread) => say(client, thread, RECALL_PROMPT),
    successCount: () => successCount,
    by,
  });
  return by(run.client);
}

/** Twelve letters, which no response contains by chance. */
function newWord(run: Run): string {
  const digest = createHash('sha256').update(run.newName()).digest();
  return [...digest.subarray(0, 12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

function leaked(exchange: Exchange, recalledIn: Thread, { thread, word, exchange: before }: SentWord): Mismatch[] {
  if (!exchange.response.text.toLowerCase().includes(word)) return [];
  return [
    {
      expected: `a response ${named(recalledIn)} without words sent ${named(thread)}`,
      actual: `the word ${word}, sent ${named(thread)}`,
      exchange,
      ...(before && { before: [before] }),
    },
  ];
}

const named = (thread: Thread): string =>
  thread === undefined ? 'without a thread' : `in thread ${JSON.stringify(thread)}`;
