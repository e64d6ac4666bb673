/** inference.agents.*: agents respond, and remember each thread separately. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isAwake, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import type { Client, Exchange } from '../target/client.ts';
import { acceptedUnlessLarge, controlCharacters } from '../kit/large-input.ts';
import { inNewThread, newThreadId } from '../kit/new-thread.ts';
import { formatValue } from '../expect/format-value.ts';
import { statusClass } from '../expect/status.ts';
import { prompt, prompts } from '../generators/prompt.ts';
import { similarThreadIds, similarUuids } from '../generators/similar-thread-ids.ts';
import { creationExchanges, firstResponse } from '../kit/provision/agents.ts';
import { forAllSequences } from '../engine/sequence.ts';
import { candidateAgents, respondingAgents } from './responding-agents.ts';
import { converse } from './conversation.ts';
import type { Conversation, Reply, Thread } from './conversation.ts';

conforms('inference.agents.answers', async (run) => {
  const served = pollUntilTimeout(isAwake, run.patienceSeconds);
  const agents = await candidateAgents(run);
  await run.forEach(agents, async (agent) => statusClass(await firstResponse(run, agent), '2xx'));
  for (const agent of agents) {
    await run.forAll(
      { inputs: prompt, turnsInThread: fc.nat({ max: 3 }) },
      ({ inputs, turnsInThread }) => turnMismatches(run, served, { agent, inputs, turns: turnsInThread }),
      {
        runs: Math.ceil(run.runs / 20),
        examples: prompts.map((inputs, index) => ({ inputs, turnsInThread: index % 3 === 1 ? 2 : 0 })),
      },
    );
  }
});

type Served = ReturnType<typeof pollUntilTimeout<Exchange>>;

interface AgentTurns {
  readonly agent: string;
  readonly inputs: string;
  readonly turns: number;
}

/** One query without a thread, then `turns` queries in a new one. */
async function turnMismatches(run: Run, served: Served, { agent, inputs, turns }: AgentTurns): Promise<Mismatch[]> {
  const headers = inNewThread(run);
  const threads = [{}, ...Array.from({ length: turns }, () => headers)];
  const found: Mismatch[] = [];
  for (const each of threads) {
    const send = () => run.client.call('queryAgent', { path: { agent }, body: { inputs }, headers: each });
    const sizes = {
      'characters of inputs': [inputs.length, 100],
      'control characters': controlCharacters(inputs),
    } as const;
    found.push(...acceptedUnlessLarge(run, await served(send), sizes));
  }
  return found;
}

const sameThread = (recalledIn: Thread, sentIn: Thread): boolean => recalledIn === sentIn;

conforms('inference.agents.threads-separate', async (run) => {
  const [first, ...others] = await respondingAgents(run);
  // Every query of an agent has a cost, so only the first agent gets more of them.
  const ofFirst: ThreadTest[] = [...Object.keys(threadGroups), AT_ONCE].map((threads) => ({ agent: first, threads }));
  const ofOthers = others.map((agent): ThreadTest => ({ agent, threads: GENERAL }));
  await run.forEach([...ofFirst.slice(0, 2), ...ofOthers, ...ofFirst.slice(2)], async ({ agent, threads }) => {
    if (threads === AT_ONCE) return atOnce(run, agent);
    const ids = similarThreadIds(run.newName());
    const group = threadGroups[threads]!.map((index) => ids[index]!);
    const client = threads === GROUP_OF_API_KEY ? await respondingApiKey(run, agent) : run.client;
    // An agent may accept only UUIDs, and only one of its groups needs to be tried with them.
    return oneAfterTheOther(run, agent, client, [group, ...(threads === GENERAL ? [newUuids()] : [])]);
  });
  await interleaved(run, first);
});

/** The form that most deployments accept. */
const newUuids = (): readonly string[] => similarUuids(newThreadId());

const GENERAL = 'letter case, numbers and spaces';

/** What a faulty server may confuse, and the indices of such ids among the similar ones. */
const threadGroups: Readonly<Record<string, readonly number[]>> = {
  [GENERAL]: [0, 3, 1, 2, 20],
  'long numbers': [18, 19],
  'word order and separators': [0, 4, 5, 6],
  'lists and underscores': [1, 14, 15, 16],
  'colons, slashes and percent signs': [0, 7, 8, 17],
  'long prefixes and suffixes': [9, 10, 11, 12, 13],
};
/** Sent with the API key, if the agent responds to it. */
const GROUP_OF_API_KEY = 'long numbers';
const AT_ONCE = 'calls at the same time';

interface ThreadTest {
  readonly agent: string;
  /** A group of similar threads, or AT_ONCE. */
  readonly threads: string;
}

/** The API key, or the strongest caller without one. The key may be refused. */
const apiKeyOf = (run: Run): Client => (run.target.credentials.apiKey === undefined ? run.client : run.as('apiKey'));

/** The API key, or the strongest caller if there is no key or the agent does not respond to it. */
async function respondingApiKey(run: Run, agent: string): Promise<Client> {
  const apiKey = apiKeyOf(run);
  const hello = await apiKey.call('queryAgent', { path: { agent }, body: { inputs: 'Hello' } });
  return isSuccessful(hello) ? apiKey : run.client;
}

/** With the first list of threads of which the agent accepts two. */
async function oneAfterTheOther(
  run: Run,
  agent: string,
  client: Client,
  [threads = [], ...others]: readonly (readonly string[])[],
): Promise<Mismatch[]> {
  const conversation = converse(run, agent, sameThread).by(client);
  const sent = await inOrder(threads, conversation.sendWord);
  if (!isAnyConfusable(sent)) {
    if (mismatchesIn(sent).length > 0 || others.length === 0) return [...mismatchesIn(sent), ...skipRefused(run, sent)];
    return oneAfterTheOther(run, agent, client, others);
  }
  // Each of two threads that are confused reveals the word of the other one, so a quick run recalls in all but one.
  const recalledIn = run.isQuick ? threads.slice(1) : threads;
  return mismatchesIn([...sent, ...(await inOrder(recalledIn, conversation.recall))]);
}

/** Whether two of the threads were accepted. */
const isAnyConfusable = (sent: readonly Reply[]): boolean =>
  sent.filter(({ exchange }) => isSuccessful(exchange)).length > 1;

/** Notes that the input shows nothing, and which thread the agent has refused. */
function skipRefused(run: Run, sent: readonly Reply[]): Mismatch[] {
  const refused = sent.find(({ exchange }) => !isSuccessful(exchange));
  if (refused === undefined) return [];
  const { exchange, thread } = refused;
  return run.skipInput(
    `an agent that accepts the thread id ${formatValue(thread, MAX_NAMED)} (status ${exchange.response.status})`,
  );
}

/** Characters of an id in a reason. */
const MAX_NAMED = 60;

/** Sends words concurrently and recalls them one by one, then the other way round. */
async function atOnce(run: Run, agent: string): Promise<Mismatch[]> {
  const threads = newUuids().slice(0, 3);
  const conversation = converse(run, agent, sameThread);
  const sent = await together(threads, conversation.sendWord);
  return [
    ...(isAnyConfusable(sent) ? [] : skipRefused(run, sent)),
    ...mismatchesIn([
      ...sent,
      ...(await inOrder(threads, conversation.recall)),
      ...(await together(threads, conversation.recall)),
    ]),
  ];
}

async function inOrder(threads: readonly Thread[], send: Conversation['sendWord']): Promise<Reply[]> {
  const results: Reply[] = [];
  for (const thread of threads) results.push(await send(thread));
  return results;
}

const together = (threads: readonly Thread[], send: Conversation['sendWord']): Promise<Reply[]> =>
  Promise.all(threads.map(send));

const mismatchesIn = (results: readonly Reply[]): Mismatch[] => results.flatMap(({ mismatches }) => mismatches);

interface Turn {
  readonly thread: 0 | 1 | 2;
  readonly action: 'sendWord' | 'recall';
}

const turn: fc.Arbitrary<Turn> = fc.record({
  thread: fc.constantFrom(0, 1, 2),
  action: fc.constantFrom('sendWord', 'recall'),
});
/** Long threads that alternate. */
const LONG_THREADS: readonly Turn[] = [
  ...([0, 1, 0, 1, 0, 2, 1, 0] as const).map((thread): Turn => ({ thread, action: 'sendWord' })),
  ...([1, 2, 0] as const).map((thread): Turn => ({ thread, action: 'recall' })),
];

async function interleaved(run: Run, agent: string): Promise<void> {
  await forAllSequences<Turn, { conversation: Conversation; threads: readonly string[] }>(run, {
    step: turn,
    start: async () => ({
      model: { conversation: converse(run, agent, sameThread), threads: newUuids() },
      exchanges: await creationExchanges(run, agent),
    }),
    runStep: async ({ conversation, threads }, { thread, action }) => {
      const reply = await conversation[action](threads[thread]);
      skipRefused(run, [reply]);
      return { exchanges: [reply.exchange], mismatches: reply.mismatches };
    },
    runs: Math.ceil(run.runs / 25),
    examples: [LONG_THREADS],
  });
}

/** A word sent without a thread must not be remembered anywhere, and a query without a thread must not recall any word. */
const neverWithout = (recalledIn: Thread, sentIn: Thread): boolean => recalledIn !== undefined && sentIn !== undefined;

conforms('inference.agents.no-thread-no-memory', async (run) => {
  const agents = await respondingAgents(run);
  const tests = ['one after the other', 'at the same time'].flatMap((calls) =>
    agents.map((agent) => ({ agent, calls })),
  );
  await run.forEach(tests, async ({ agent, calls }) => {
    const conversation = converse(run, agent, neverWithout);
    const replies = calls === 'at the same time' ? callsAtOnce : callsInOrder;
    const results = await replies(conversation, newThreadId(), newThreadId(), apiKeyOf(run));
    run.need(conversation.successCount(), 'an agent that responds');
    return mismatchesIn(results);
  });
});

async function callsInOrder(
  { sendWord, recall, by }: Conversation,
  thread: string,
  unused: string,
  other: Client,
): Promise<Reply[]> {
  const another = by(other);
  return [
    await sendWord(undefined),
    await recall(undefined),
    await sendWord(thread),
    await recall(thread),
    await recall(undefined),
    await another.sendWord(undefined),
    ...(await inOrder([thread, unused], recall)),
    await another.recall(undefined),
  ];
}

async function callsAtOnce({ sendWord, recall }: Conversation, first: string, second: string): Promise<Reply[]> {
  return [
    ...(await together([undefined, first, undefined], sendWord)),
    ...(await together([undefined, second, undefined], recall)),
    ...(await inOrder([first, undefined], recall)),
  ];
}
