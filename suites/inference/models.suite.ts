/** inference.models.*: model APIs respond and complete chats. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eventually, isServed, isSuccessful, pollUntilTimeout } from '../target/eventually.ts';
import { acceptedUnlessLarge, controlCharacters, PLAIN_CHARACTERS } from '../kit/large-input.ts';
import { statusClass } from '../expect/status.ts';
import { chat, chats } from '../generators/chat.ts';
import { prompt, prompts } from '../generators/prompt.ts';
import type { Exchange } from '../target/client.ts';

/** Bodies of common kinds of models. A model must accept at least one of them. */
const BODIES: readonly ((text: string) => object)[] = [
  (inputs) => ({ inputs }),
  (content) => ({ messages: [{ role: 'user', content }] }),
  (input) => ({ input }),
  (text) => ({ prompt: text }),
];

/** The first response of a model in this run, and its responses to each kind of body. */
const firstResponses = sharedValue<readonly Exchange[]>();

conforms('inference.models.answers', async (run) => {
  const model = run.need(run.target.resources.model, 'a model API');
  const each = await firstResponses.get(run, async () => {
    const first = await eventually(() => request(run, model, { inputs: 'hello' }), isReached, run.patienceSeconds);
    return [first, ...(await Promise.all(BODIES.map((bodyOf) => request(run, model, bodyOf('hello')))))];
  });
  const served = pollUntilTimeout(isServed, run.patienceSeconds);
  // A model may fail on a body of another kind, but not on one that it accepted before.
  const accepted = BODIES.filter((_, at) => isReached(each[at + 1]!));
  run.check(accepted.length === 0 ? each.flatMap(reached) : each.filter(isNowhere).flatMap(reached));
  await run.forAll(
    { text: prompt, bodyOf: fc.constantFrom(...accepted) },
    async ({ text, bodyOf }) => reached(await served(() => request(run, model, bodyOf(text)))),
    {
      runs: Math.ceil(run.runs / 20),
      examples: prompts.flatMap((text, at) => [{ text, bodyOf: accepted[at % accepted.length]! }]),
    },
  );
});

const request = (run: Run, model: string, body: object): Promise<Exchange> =>
  run.client.call('queryModel', { path: { model }, body });

const isNowhere = ({ response: { status } }: Exchange): boolean => [404, 405].includes(status);
const isReached = (exchange: Exchange): boolean => !isNowhere(exchange) && exchange.response.status < 500;

function reached(exchange: Exchange): Mismatch[] {
  if (isReached(exchange)) return [];
  return [{ expected: 'no status 404, 405 or 5xx', actual: `status ${exchange.response.status}`, exchange }];
}

const firstCompletion = sharedValue<Exchange>();

conforms('inference.models.chat-completions', async (run) => {
  const model = run.need(run.target.resources.model, 'a model API');
  const completed = (messages: object[]): Promise<Exchange> =>
    run.client.call('createChatCompletion', { path: { model }, body: { messages } });
  const hello = [{ role: 'user', content: 'hello' }];
  const first = () => eventually(() => completed(hello), isSuccessful, run.patienceSeconds);
  run.check(statusClass(await firstCompletion.get(run, first), '2xx'));
  const served = pollUntilTimeout(isServed, run.patienceSeconds);
  await run.forAll(
    { messages: chat },
    async ({ messages }) =>
      acceptedUnlessLarge(run, await served(() => completed(messages)), {
        messages: [messages.length, 5],
        'characters of messages': [JSON.stringify(messages).length, PLAIN_CHARACTERS],
        'control characters': controlCharacters(messages.map(({ content }) => content).join('')),
      }),
    { runs: Math.ceil(run.runs / 20), examples: chats.map((messages) => ({ messages })) },
  );
});
