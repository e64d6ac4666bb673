/** Chat completions of the OpenAI protocol as one object. */
import type { WholeCompletion } from './chat-chunks.ts';
import type { ChatRequest } from './chat-request.ts';
import { countTokens, tokensOf } from './tokens.ts';

export interface Completion {
  /** Starts with `chatcmpl-`. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly tokens: readonly string[];
  readonly finishReason: 'stop' | 'length';
  readonly choices: number;
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Applies the request's stop sequences and token limit to a text, and counts the tokens. */
export function complete(
  request: ChatRequest,
  text: string,
  head: Pick<Completion, 'id' | 'created' | 'model'>,
): Completion {
  const { messages, maxTokens: mostTokens, choices } = request;
  const all = tokensOf(upToStop(text, request.stop));
  const tokens = all.slice(0, mostTokens);
  const prompt = messages.reduce((sum, { role, text: content }) => sum + countTokens(role) + countTokens(content), 0);
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

export function whole({ id, created, model, tokens, finishReason, choices, usage }: Completion): WholeCompletion {
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

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
