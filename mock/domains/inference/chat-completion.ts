/** Chat completions of the OpenAI protocol as one object. */
import type { JsonObject } from '../../../spec/json-object.ts';
import type { WholeCompletion } from './chat-chunks.ts';
import type { ChatOutput, ToolCall } from './chat-output.ts';
import type { ChatRequest } from './chat-request.ts';
import { countTokens, tokensOf } from './tokens.ts';

export interface Completion {
  /** Starts with `chatcmpl-`. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  /** Of the text, or of the input of the call. */
  readonly tokens: readonly string[];
  readonly call?: ToolCall;
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call';
  readonly choices: number;
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Applies the request's token limit and, to a text, its stop sequences; counts the tokens. */
export function complete(
  request: ChatRequest,
  output: ChatOutput,
  head: Pick<Completion, 'id' | 'created' | 'model'>,
): Completion {
  const { messages, maxTokens: mostTokens, choices } = request;
  const call = 'call' in output ? output.call : undefined;
  const all = tokensOf('text' in output ? upToStop(output.text, request.stop) : output.call.input);
  const tokens = all.slice(0, mostTokens);
  const prompt = messages.reduce((sum, { role, text: content }) => sum + countTokens(role) + countTokens(content), 0);
  const completion = tokens.length * choices;
  return {
    ...head,
    tokens,
    finishReason: tokens.length < all.length ? 'length' : finishReasonOf(call),
    choices,
    ...(call !== undefined && { call }),
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function finishReasonOf(call: ToolCall | undefined): Completion['finishReason'] {
  if (call === undefined) return 'stop';
  return call.type === 'legacy' ? 'function_call' : 'tool_calls';
}

function upToStop(text: string, stops: readonly string[]): string {
  const ends = stops.filter((stop) => stop !== '' && text.includes(stop)).map((stop) => text.indexOf(stop));
  return text.slice(0, Math.min(text.length, ...ends));
}

export function whole(completion: Completion): WholeCompletion {
  const { id, created, model, finishReason, choices, usage } = completion;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: indexes(choices).map((index) => ({
      index,
      message: messageOf(completion, index),
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage,
  };
}

function messageOf({ id, tokens, call }: Completion, index: number): JsonObject {
  const text = tokens.join('');
  if (call === undefined) return { role: 'assistant', content: text, refusal: null };
  const { type, name } = call;
  if (type === 'legacy')
    return { role: 'assistant', content: null, refusal: null, function_call: { name, arguments: text } };
  const details = type === 'custom' ? { custom: { name, input: text } } : { function: { name, arguments: text } };
  const callId = id.replace('chatcmpl-', 'call_') + (index === 0 ? '' : String(index));
  return { role: 'assistant', content: null, refusal: null, tool_calls: [{ id: callId, type, ...details }] };
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
