/** inference.agents.*: agents respond, and remember each thread separately. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isAwake, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import type { Client, Exchange } from '../target/client.ts';
import { acceptedUnlessLarge, controlCharacters } from '../kit/large-input.ts';
import { statusClass } from '../expect/status.ts';
import { prompt, prompts } from '../generators/prompt.ts';
import { similarThreadIds } from '../generators/similar-thread-ids.ts';
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
  // A deployment may require a certain form of client-generated ids; a UUID is the most common.
  const headers = { [headerNames(run.target.brand).threadId]: randomUUID() };
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
  const ofOthers = others.map((agent): ThreadTest => ({ agent, threads: 'letter case, numbers and spaces' }));
  await run.forEach([...ofFirst.slice(0, 2), ...ofOthers, ...ofFirst.slice(2)], async ({ agent, threads }) => {
    const ids = similarThreadIds(run.newName());
    if (threads === AT_ONCE) return atOnce(run, agent, ids.slice(0, 3));
    const group = threadGroups[threads]!;
    return oneAfterTheOther(
      run,
      agent,
      group.map((index) => ids[index]!),
      threads === GROUP_OF_API_KEY ? await respondingApiKey(run, agent) : run.client,
    );
  });
  await interleaved(run, first);
});

/** What a faulty server may confuse, and the indices of such ids among the similar ones. */
const threadGroups: Readonly<Record<string, readonly number[]>> = {
  'letter case, numbers and spaces': [0, 3, 1, 2, 20],
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

async function oneAfterTheOther(
  run: Run,
  agent: string,
  threads: readonly Thread[],
  client: Client,
): Promise<Mismatch[]> {
  const conversation = converse(run, agent, sameThread).by(client);
  // Each of two threads that are confused reveals the word of the other one, so a quick run recalls in all but one.
  const recalledIn = run.isQuick ? threads.slice(1) : threads;
  const results = [
    ...(await inOrder(threads, conversation.sendWord)),
    ...(await inOrder(recalledIn, conversation.recall)),
  ];
  run.need(conversation.successCount(), 'an agent that responds in a thread');
  return mismatchesIn(results);
}

/** Sends words concurrently and recalls them one by one, then the other way round. */
async function atOnce(run: Run, agent: string, threads: readonly Thread[]): Promise<Mismatch[]> {
  const conversation = converse(run, agent, sameThread);
  return mismatchesIn([
    ...(await together(threads, conversation.sendWord)),
    ...(await inOrder(threads, conversation.recall)),
    ...(await together(threads, conversation.recall)),
  ]);
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
      model: { conversation: converse(run, agent, sameThread), threads: similarThreadIds(run.newName()) },
      exchanges: await creationExchanges(run, agent),
    }),
    runStep: async ({ conversation, threads }, { thread, action }) => {
      const { exchange, mismatches } = await conversation[action](threads[thread]);
      return { exchanges: [exchange], mismatches };
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
    const results = await replies(conversation, run.newName(), run.newName(), apiKeyOf(run));
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
