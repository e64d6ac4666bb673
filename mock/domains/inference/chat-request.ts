/** Reads the members of a chat request; members without a meaning here are ignored. */
import type { ChatCompletionRequest } from '../../../spec/generated/types.ts';
import { invalidField } from '../../http/problems.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
import { readWantedOutput, type WantedOutput } from './chat-output.ts';
import { readMessages, type ChatMessage } from './chat-messages.ts';
import { isObject } from '../../../spec/json-object.ts';

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Returned in the response. Default: the name of the workload. */
  readonly model?: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly choices: number;
  /** Infinity if there is no limit. */
  readonly maxTokens: number;
  readonly stop: readonly string[];
  readonly wanted: WantedOutput;
}

const MAX_CHOICES = 8;
const MAX_STOPS = 4;

/** Throws a problem that names the field. */
export function readChatRequest(body: ChatCompletionRequest): ChatRequest {
  const members = body as unknown as JsonObject;
  const messages = readMessages(body.messages);
  const model = memberOf(members, 'model', isText, 'a string');
  const stream = memberOf(members, 'stream', isFlag, 'true or false') ?? false;
  const maxTokens =
    memberOf(members, 'max_completion_tokens', isCount, 'a whole number from 1') ??
    memberOf(members, 'max_tokens', isCount, 'a whole number from 1');
  const choices = memberOf(members, 'n', isChoices, `1 to ${MAX_CHOICES}`) ?? 1;
  const stop = memberOf(members, 'stop', isStop, `a string, or an array of up to ${MAX_STOPS}`) ?? [];
  return {
    messages,
    stream,
    includeUsage: includeUsage(members, stream),
    choices,
    maxTokens: maxTokens ?? Infinity,
    stop: typeof stop === 'string' ? [stop] : stop,
    wanted: readWantedOutput(members),
    ...(model !== undefined && { model }),
  };
}

function includeUsage(members: JsonObject, stream: boolean): boolean {
  const options = memberOf(members, 'stream_options', isObject, 'an object');
  if (options === undefined) return false;
  if (!stream) throw invalidField('stream_options', options, 'only with stream: true');
  return memberOf(options, 'include_usage', isFlag, 'true or false', 'stream_options.') ?? false;
}

/** Undefined if it is absent or null, which the protocol treats alike. */
function memberOf<Value>(
  members: JsonObject,
  name: string,
  is: (value: unknown) => value is Value,
  allowed: string,
  at = '',
): Value | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (!is(value)) throw invalidField(`${at}${name}`, value, allowed);
  return value;
}

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;
const isChoices = (value: unknown): value is number => isCount(value) && value <= MAX_CHOICES;
const isStop = (value: unknown): value is string | string[] =>
  isText(value) || (Array.isArray(value) && value.length <= MAX_STOPS && value.every(isText));
