/** Asking agents: that they answer, and what they remember of whom. */
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
import { agentsToAsk, answeringAgents, firstAnswer } from './answering.ts';
import { converse } from './conversation.ts';
import type { Conversation, Heard, Thread } from './conversation.ts';

conforms('inference.agents.answers', async (run) => {
  const served = pollUntilTimeout(isServed, run.patienceSeconds);
  for (const agent of await agentsToAsk(run)) {
    run.check(statusClass(await firstAnswer(run, agent), '2xx'));
    await run.forAll(
      { inputs: prompt, turnsInThread: fc.nat({ max: 3 }) },
      ({ inputs, turnsInThread }) => answersEachTurn(run, served, { agent, inputs, turns: turnsInThread }),
      { runs: Math.ceil(run.runs / 20), examples: prompts.map((inputs) => ({ inputs, turnsInThread: 0 })) },
    );
  }
});

type Served = ReturnType<typeof pollUntilTimeout<Exchange>>;

interface Asked {
  readonly agent: string;
  readonly inputs: string;
  readonly turns: number;
}

/** Once without a thread, then so many times in one of its own. */
async function answersEachTurn(run: Run, served: Served, { agent, inputs, turns }: Asked): Promise<Mismatch[]> {
  const headers = { [headerNames(run.target.brand).threadId]: run.newName() };
  const threads = [{}, ...Array.from({ length: turns }, () => headers)];
  const found: Mismatch[] = [];
  for (const each of threads) {
    const ask = () => run.client.call('queryAgent', { path: { agent }, body: { inputs }, headers: each });
    found.push(...statusClass(await served(ask), '2xx'));
  }
  return found;
}

const sameThread = (asked: Thread, told: Thread): boolean => asked === told;

conforms('inference.agents.threads-separate', async (run) => {
  const [first, ...others] = await answeringAgents(run);
  for (const agent of [first, ...others]) await oneAfterTheOther(run, agent);
  // Every answer of an agent costs: only one of them is asked more.
  await atOnce(run, first);
  await interleaved(run, first);
});

async function oneAfterTheOther(run: Run, agent: string): Promise<void> {
  const conversation = converse(run, agent, sameThread);
  const threads = similarThreadIds(run.newName());
  const heard = [...(await inOrder(threads, conversation.tell)), ...(await inOrder(threads, conversation.ask))];
  run.need(conversation.answered(), 'an agent that answers in a thread');
  run.check(mismatchesIn(heard));
}

/** Each thread knows a word before they are asked together, and is asked alone after they were told together. */
async function atOnce(run: Run, agent: string): Promise<void> {
  const conversation = converse(run, agent, sameThread);
  const threads = similarThreadIds(run.newName()).slice(0, 4);
  run.check(
    mismatchesIn(await inOrder(threads, conversation.tell)),
    mismatchesIn(await together(threads, conversation.ask)),
    mismatchesIn(await together(threads, conversation.tell)),
    mismatchesIn(await inOrder(threads, conversation.ask)),
  );
}

async function inOrder(threads: readonly Thread[], say: Conversation['tell']): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (const thread of threads) heard.push(await say(thread));
  return heard;
}

const together = (threads: readonly Thread[], say: Conversation['tell']): Promise<Heard[]> =>
  Promise.all(threads.map(say));

const mismatchesIn = (heard: readonly Heard[]): Mismatch[] => heard.flatMap(({ mismatches }) => mismatches);

interface Turn {
  readonly thread: 0 | 1 | 2;
  readonly says: 'tell' | 'ask';
}

const turn: fc.Arbitrary<Turn> = fc.record({
  thread: fc.constantFrom(0, 1, 2),
  says: fc.constantFrom('tell', 'ask'),
});
/** Threads that have gone on for a while, in turns: one goes on before, between and after the other's words. */
const LONG_THREADS: readonly Turn[] = [
  ...([0, 1, 0, 1, 0, 2, 1, 0, 0, 2] as const).map((thread): Turn => ({ thread, says: 'tell' })),
  ...([0, 1, 2, 0] as const).map((thread): Turn => ({ thread, says: 'ask' })),
];

async function interleaved(run: Run, agent: string): Promise<void> {
  await forAllSequences<Turn, { conversation: Conversation; threads: readonly string[] }>(run, {
    step: turn,
    start: async () => ({
      model: { conversation: converse(run, agent, sameThread), threads: similarThreadIds(run.newName()) },
      exchanges: await creationExchanges(run, agent),
    }),
    runStep: async ({ conversation, threads }, { thread, says }) => {
      const { exchange, mismatches } = await conversation[says](threads[thread]);
      return { exchanges: [exchange], mismatches };
    },
    runs: Math.ceil(run.runs / 25),
    examples: [LONG_THREADS],
  });
}

/** What is told without a thread is known nowhere, and without a thread nothing is known. */
const neverWithout = (asked: Thread, told: Thread): boolean => asked !== undefined && told !== undefined;

conforms('inference.agents.no-thread-no-memory', async (run) => {
  for (const agent of await answeringAgents(run)) {
    const conversation = converse(run, agent, neverWithout);
    const [first, second] = [run.newName(), run.newName()];
    const heard: Heard[] = [];
    for (const thread of [undefined, undefined, first, undefined, second, undefined]) {
      heard.push(await conversation.tell(thread), await conversation.ask(thread), await conversation.ask(undefined));
    }
    for (const thread of [first, undefined, run.newName(), undefined]) heard.push(await conversation.ask(thread));
    heard.push(...(await together([undefined, first, undefined], conversation.tell)));
    heard.push(...(await together([undefined, second, undefined], conversation.ask)));
    run.need(conversation.answered(), 'an agent that answers');
    run.check(mismatchesIn(heard));
  }
});
