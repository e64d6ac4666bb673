/** Splits a chat completion of the OpenAI protocol, generated or scripted, into the chunks of a stream. */
import type { JsonObject } from '../../../spec/json-object.ts';
import { tokensOf } from './tokens.ts';
import { isObject } from '../../../spec/json-object.ts';

/** The members of a choice that are used; a scripted one may lack them or have more. */
interface Choice extends JsonObject {
  readonly index?: number;
  readonly message: JsonObject & { readonly content?: unknown; readonly tool_calls?: unknown };
  readonly finish_reason?: string;
}

export interface WholeCompletion extends JsonObject {
  readonly choices: readonly Choice[];
}

/** Whether a body can be streamed: each of its choices needs a message. */
export function isCompletion(body: unknown): body is WholeCompletion {
  if (!isObject(body) || !Array.isArray(body['choices'])) return false;
  return body['choices'].every((choice) => isObject(choice) && isObject(choice['message']));
}

/** Yields the role, each token of the text and of tool calls, the finish reason, and the usage if requested. */
export function* chunks({ choices, usage, ...rest }: WholeCompletion, includeUsage: boolean): Generator<object> {
  const head = { ...rest, object: 'chat.completion.chunk' };
  const notYet = includeUsage && { usage: null };
  const streams = choices.map(deltasOf);
  const longest = Math.max(0, ...streams.map(({ length }) => length));
  for (let nth = 0; nth < longest; nth++) {
    for (const [at, deltas] of streams.entries()) {
      const [delta, reason = null] = deltas[nth] ?? [];
      if (delta === undefined) continue;
      const choice = { index: choices[at]?.index ?? at, delta, logprobs: null, finish_reason: reason };
      yield { ...head, choices: [choice], ...notYet };
    }
  }
  if (includeUsage) yield { ...head, choices: [], usage };
}

type Delta = readonly [delta: object, finishReason?: string];

function deltasOf({ message, finish_reason: reason }: Choice): Delta[] {
  const { role = 'assistant', content, tool_calls: calls, function_call: legacy, refusal, ...rest } = message;
  const refused = typeof refusal === 'string' && { refusal };
  const tokens = typeof content === 'string' ? tokensOf(content) : [];
  const toolCalls: unknown[] = Array.isArray(calls) ? calls : [];
  const legacyPieces = isObject(legacy) ? callPieces({ function: legacy }) : [];
  return [
    [{ role, content: typeof content === 'string' ? '' : null, ...refused, ...rest }],
    ...tokens.map((token): Delta => [{ content: token }]),
    ...toolCalls.flatMap((call, index) =>
      callPieces(call).map((piece): Delta => [{ tool_calls: [{ index, ...piece }] }]),
    ),
    ...legacyPieces.map((piece): Delta => [{ function_call: piece['function'] }]),
    [{}, reason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')],
  ];
}

/** The call without its input, then the tokens of the input. A call of another form is one piece. */
function callPieces(call: unknown): JsonObject[] {
  if (!isObject(call)) return [{}];
  for (const [kind, member] of [
    ['function', 'arguments'],
    ['custom', 'input'],
  ] as const) {
    const details = call[kind];
    const input = isObject(details) ? details[member] : undefined;
    if (isObject(details) && typeof input === 'string')
      return [
        { ...call, [kind]: { ...details, [member]: '' } },
        ...tokensOf(input).map((token) => ({ [kind]: { [member]: token } })),
      ];
  }
  return [call];
}
