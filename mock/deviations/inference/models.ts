/** Deviations of querying models. */
import { deviationsOf } from '../table.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { statefulDeviation } from '../stateful-deviation.ts';
import { isFor, type App, type Deviation, type Deviations } from '../deviation.ts';

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function fails(what: string, id: OperationId, status: number, concerns: (body: never) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, [id]) || ctx.state.reply?.status !== 200 || !concerns(ctx.state.body as never)) return;
      ctx.state.reply = { status, body: { error: 'failed', code: status, message: 'The model was not queried.' } };
    };
  return { what, effect: 'refuse', condition: id, wrap };
}

const model = (what: string, status: number, concerns: (body: object) => boolean): Deviation =>
  fails(what, 'queryModel', status, concerns);
const chat = (what: string, status: number, concerns: (messages: Chat['messages']) => boolean): Deviation =>
  fails(what, 'createChatCompletion', status, ({ messages }: Chat) => concerns(messages));

const everyOther = () => {
  let calls = 0;
  return () => (calls += 1) % 2 === 0;
};

export const modelsDeviations: Deviations = deviationsOf({
  'inference.models.answers': {
    '': model('Returns 404 for model queries', 404, () => true),
    chats: model('Returns 404 for a conversation', 404, (body) => 'messages' in body),
    'not-post': model('Returns 405 for a prompt', 405, (body) => 'prompt' in body),
    'out-of-reach': model('Returns 503 for model queries', 503, () => true),
    'every-other': statefulDeviation('Returns 502 for every other model query', (what) =>
      model(what, 502, everyOther()),
    ),
    script: model('Returns 500 for a query beyond ASCII', 500, (body) => /[^ -~]/.test(JSON.stringify(body))),
    long: model(
      'Returns 500 for a query of more than 600 characters',
      500,
      (body) => JSON.stringify(body).length > 600,
    ),
  },

  'inference.models.chat-completions': {
    '': chat('Refuses more than one message', 400, (messages) => messages.length > 1),
    assistant: chat(
      'Refuses more than one assistant message',
      400,
      (messages) => messages.filter(({ role }) => role === 'assistant').length > 1,
    ),
    long: chat('Returns 500 for more than 20 messages', 500, (messages) => messages.length > 20),
    line: chat('Returns 500 for a message of several lines', 500, (messages) =>
      messages.some(({ content }) => content.includes('\n')),
    ),
    'accepted-once': statefulDeviation('Returns 502 for every other conversation', (what) =>
      chat(what, 502, everyOther()),
    ),
    'not-found': chat('Returns 404 for every conversation', 404, () => true),
  },
});
