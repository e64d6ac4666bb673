/** inference.agents.*: agents respond, and remember each thread separately. */
import * as fc from 'fast-check';
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isServed, pollUntilTimeout } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { statusClass } from '../expect/status.ts';
import { prompt, prompts } from '../generators/prompt.ts';
import { similarThreadIds } from '../generators/similar-thread-ids.ts';
import { creationExchanges } from '../kit/provision/agents.ts';
import { forAllSequences } from '../engine/sequence.ts';
import { candidateAgents, respondingAgents, firstResponse } from './responding-agents.ts';
import { converse } from './conversation.ts';
import type { Conversation, Reply, Thread } from './conversation.ts';

conforms('inference.agents.answers', async (run) => {
  const served = pollUntilTimeout(isServed, run.patienceSeconds);
  for (const agent of await candidateAgents(run)) {
    run.check(statusClass(await firstResponse(run, agent), '2xx'));
    await run.forAll(
      { inputs: prompt, turnsInThread: fc.nat({ max: 3 }) },
      ({ inputs, turnsInThread }) => turnMismatches(run, served, { agent, inputs, turns: turnsInThread }),
      { runs: Math.ceil(run.runs / 20), examples: prompts.map((inputs) => ({ inputs, turnsInThread: 0 })) },
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
  const headers = { [headerNames(run.target.brand).threadId]: run.newName() };
  const threads = [{}, ...Array.from({ length: turns }, () => headers)];
  const found: Mismatch[] = [];
  for (const each of threads) {
    const send = () => run.client.call('queryAgent', { path: { agent }, body: { inputs }, headers: each });
    found.push(...statusClass(await served(send), '2xx'));
  }
  return found;
}

const sameThread = (recalledIn: Thread, sentIn: Thread): boolean => recalledIn === sentIn;

conforms('inference.agents.threads-separate', async (run) => {
  const [first, ...others] = await respondingAgents(run);
  for (const agent of [first, ...others]) await oneAfterTheOther(run, agent);
  // Every query of an agent has a cost, so only the first agent gets more of them.
  await atOnce(run, first);
  await interleaved(run, first);
});

async function oneAfterTheOther(run: Run, agent: string): Promise<void> {
  const conversation = converse(run, agent, sameThread);
  const threads = similarThreadIds(run.newName());
  const results = [
    ...(await inOrder(threads, conversation.sendWord)),
    ...(await inOrder(threads, conversation.recall)),
  ];
  run.need(conversation.successCount(), 'an agent that responds in a thread');
  run.check(mismatchesIn(results));
}

/** Sends words one by one and recalls them concurrently, then sends words concurrently and recalls them one by one. */
async function atOnce(run: Run, agent: string): Promise<void> {
  const conversation = converse(run, agent, sameThread);
  const threads = similarThreadIds(run.newName()).slice(0, 4);
  run.check(
    mismatchesIn(await inOrder(threads, conversation.sendWord)),
    mismatchesIn(await together(threads, conversation.recall)),
    mismatchesIn(await together(threads, conversation.sendWord)),
    mismatchesIn(await inOrder(threads, conversation.recall)),
  );
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
  ...([0, 1, 0, 1, 0, 2, 1, 0, 0, 2] as const).map((thread): Turn => ({ thread, action: 'sendWord' })),
  ...([0, 1, 2, 0] as const).map((thread): Turn => ({ thread, action: 'recall' })),
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
  for (const agent of await respondingAgents(run)) {
    const conversation = converse(run, agent, neverWithout);
    const [first, second] = [run.newName(), run.newName()];
    const results: Reply[] = [];
    for (const thread of [undefined, undefined, first, undefined, second, undefined]) {
      results.push(
        await conversation.sendWord(thread),
        await conversation.recall(thread),
        await conversation.recall(undefined),
      );
    }
    for (const thread of [first, undefined, run.newName(), undefined]) results.push(await conversation.recall(thread));
    results.push(...(await together([undefined, first, undefined], conversation.sendWord)));
    results.push(...(await together([undefined, second, undefined], conversation.recall)));
    run.need(conversation.successCount(), 'an agent that responds');
    run.check(mismatchesIn(results));
  }
});
