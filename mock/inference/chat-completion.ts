/** Chat completions in the form of the OpenAI protocol: one object, or the chunks of a stream. */
import type { ChatRequest } from './chat-request.ts';
import { tokensOf } from './tokens.ts';

export interface Completion {
  /** Opens with `chatcmpl-`. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly tokens: readonly string[];
  readonly finishReason: 'stop' | 'length';
  readonly choices: number;
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Cuts a text where the request wants it to end, and counts what it took. */
export function complete(
  request: ChatRequest,
  text: string,
  head: Pick<Completion, 'id' | 'created' | 'model'>,
): Completion {
  const { messages, mostTokens, choices } = request;
  const all = tokensOf(upToStop(text, request.stop));
  const tokens = all.slice(0, mostTokens);
  const prompt = messages.reduce((sum, { role, text: said }) => sum + tokensOf(role).length + tokensOf(said).length, 0);
  const completion = tokens.length * choices;
  return {
    ...head,
    tokens,
    finishReason: tokens.length < all.length ? 'length' : 'stop',
    choices,
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function upToStop(text: string, stops: readonly string[]): string {
  const ends = stops.filter((stop) => stop !== '' && text.includes(stop)).map((stop) => text.indexOf(stop));
  return text.slice(0, Math.min(text.length, ...ends));
}

export function whole({ id, created, model, tokens, finishReason, choices, usage }: Completion): object {
  const message = { role: 'assistant', content: tokens.join(''), refusal: null };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: indexes(choices).map((index) => ({ index, message, logprobs: null, finish_reason: finishReason })),
    usage,
  };
}

/** The role comes first, then a token at a time, then why it ends, then the usage where it is wanted. */
export function* chunks(completion: Completion, includeUsage: boolean): Generator<object> {
  const { id, created, model, tokens, finishReason, choices, usage } = completion;
  const head = { id, object: 'chat.completion.chunk', created, model };
  const notYet = includeUsage && { usage: null };
  const chunk = (index: number, delta: object, reason: string | null) => ({
    ...head,
    choices: [{ index, delta, logprobs: null, finish_reason: reason }],
    ...notYet,
  });
  for (const index of indexes(choices)) yield chunk(index, { role: 'assistant', content: '' }, null);
  for (const content of tokens) for (const index of indexes(choices)) yield chunk(index, { content }, null);
  for (const index of indexes(choices)) yield chunk(index, {}, finishReason);
  if (includeUsage) yield { ...head, choices: [], usage };
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
