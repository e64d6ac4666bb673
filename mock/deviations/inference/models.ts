/** Deviations of querying models. */
import { isFor, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/operations.ts';

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function fails(id: OperationId, status: number, concerns: (body: never) => boolean): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, [id]) || ctx.state.reply?.status !== 200 || !concerns(ctx.state.body as never)) return;
      ctx.state.reply = { status, body: { error: 'failed', code: status, message: 'The model was not queried.' } };
    };
  return { kind: 'refuse', condition: id, wrap };
}

const model = (status: number, concerns: (body: object) => boolean): Fault => fails('queryModel', status, concerns);
const chat = (status: number, concerns: (messages: Chat['messages']) => boolean): Fault =>
  fails('createChatCompletion', status, ({ messages }: Chat) => concerns(messages));

const everyOther = () => {
  let calls = 0;
  return () => (calls += 1) % 2 === 0;
};

export const modelsDeviations: Table = {
  'inference.models.answers': {
    'returns 404 for model queries': model(404, () => true),
    'returns 404 for a conversation': model(404, (body) => 'messages' in body),
    'returns 405 for a prompt': model(405, (body) => 'prompt' in body),
    'returns 503 for model queries': model(503, () => true),
    'returns 502 for every other model query': stateful(() => model(502, everyOther())),
    'returns 500 for a query beyond ASCII': model(500, (body) => /[^ -~]/.test(JSON.stringify(body))),
    'returns 500 for a query of more than 600 characters': model(500, (body) => JSON.stringify(body).length > 600),
  },

  'inference.models.chat-completions': {
    'refuses more than one message': chat(400, (messages) => messages.length > 1),
    'refuses more than one assistant message': chat(
      400,
      (messages) => messages.filter(({ role }) => role === 'assistant').length > 1,
    ),
    'returns 500 for more than 20 messages': chat(500, (messages) => messages.length > 20),
    'returns 500 for a message of several lines': chat(500, (messages) =>
      messages.some(({ content }) => content.includes('\n')),
    ),
    'returns 502 for every other conversation': stateful(() => chat(502, everyOther())),
    'returns 404 for every conversation': chat(404, () => true),
  },
};
