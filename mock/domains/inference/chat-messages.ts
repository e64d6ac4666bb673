/** Extracts the text of chat messages, in any content format of the OpenAI protocol. */
import type { ChatCompletionRequest } from '../../../spec/generated/types.ts';
import { invalidField } from '../../http/problems.ts';

export interface ChatMessage {
  readonly role: string;
  /** Text parts are joined with line breaks; empty without any. */
  readonly text: string;
}

/** Roles whose messages may have a tool call or a refusal instead of content. */
const MAY_BE_SILENT: ReadonlySet<string> = new Set(['assistant', 'function']);

/** Throws a problem that names the field. */
export function readMessages(messages: ChatCompletionRequest['messages']): ChatMessage[] {
  if (messages.length === 0) throw invalidField('messages', messages, 'at least one message');
  return messages.map(({ role, content }, index) => ({
    role,
    text: textOf(content, MAY_BE_SILENT.has(role), `messages[${index}].content`),
  }));
}

function textOf(content: unknown, maybeSilent: boolean, at: string): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.flatMap((part, index) => textsOf(part, `${at}[${index}]`)).join('\n');
  if (maybeSilent && (content === undefined || content === null)) return '';
  throw invalidField(at, content, 'a string or an array of content parts; null only for an assistant');
}

/** Ignores images, files and refusals: a reply depends only on text. */
function textsOf(part: unknown, at: string): string[] {
  const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  if (typeof type !== 'string') throw invalidField(at, part, 'an object with a type, such as text or image_url');
  if (type !== 'text') return [];
  if (typeof text !== 'string') throw invalidField(`${at}.text`, text, 'a string');
  return [text];
}
