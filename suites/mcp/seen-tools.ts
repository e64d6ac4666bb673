/** Calls of tools in anybody's traffic, compared with the list that the client has received before. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { endpointKey, seenRequest, sessionKey } from '../kit/mcp/seen-message.ts';
import type { SeenRequest } from '../kit/mcp/seen-message.ts';
import { isSoonAfter, remember } from '../kit/resources/seen-resource.ts';
import { hasContent, notFailed } from './tool-calls.ts';
import { toolsIn } from './tools.ts';
import type { Tool } from './tools.ts';

interface SeenList {
  readonly seen: Seen;
  readonly tools: readonly Tool[];
  /** Of the next page. Undefined if the list is complete. */
  readonly cursor: unknown;
}

type JudgeCall = (call: SeenRequest, tools: readonly Tool[]) => Judged;

/** Soon after the list, until a call of any session succeeds: it may change which tools there are. */
export const judgesCalls = (judge: JudgeCall) => (): ((seen: Seen) => Judged) => {
  const lists = new Map<string, SeenList>();
  return (seen) => {
    const request = seenRequest(seen);
    if (request === undefined) return undefined;
    const key = sessionKey(seen);
    const list = key && lists.get(key);
    if (key && request.method === 'tools/list') learn(lists, key, request);
    if (request.method !== 'tools/call') return undefined;
    const { message } = request.response;
    const result = fieldsOf(message?.result);
    const hasFailed = message !== undefined && (result === undefined || result['isError'] === true);
    if (!hasFailed) forget(lists, seen);
    const isKnown = list && list.cursor === undefined && isSoonAfter(list.seen, seen);
    if (message === undefined || !isKnown) return undefined;
    return judge(request, list.tools);
  };
};

function forget(lists: Map<string, SeenList>, seen: Seen): void {
  for (const [key, list] of lists) if (endpointKey(list.seen) === endpointKey(seen)) lists.delete(key);
}

function learn(lists: Map<string, SeenList>, key: string, { seen, params, response }: SeenRequest): void {
  const result = fieldsOf(response.message?.result);
  const before = lists.get(key);
  const { cursor } = params;
  const isNext = cursor !== undefined && before?.cursor === cursor;
  if (result === undefined || (cursor !== undefined && !isNext)) return void lists.delete(key);
  const tools = [...(isNext ? before.tools : []), ...toolsIn(result)];
  remember(lists, key, { seen, tools, cursor: result['nextCursor'] ?? undefined });
}

export const judgeUnlisted: JudgeCall = ({ params, response }, tools) => {
  const { name } = params;
  if (typeof name !== 'string' || tools.some((tool) => tool.name === name)) return undefined;
  return citing(mcpSources.toolErrors, notFailed(response, `an unlisted tool, ${name}`));
};

export const judgeIncomplete: JudgeCall = ({ params, response }, tools) => {
  const tool = tools.find(({ name }) => name === params['name']);
  const given = fieldsOf(params['arguments'] ?? {});
  if (tool === undefined || given === undefined) return undefined;
  const { required, properties } = tool.inputSchema as { readonly required?: unknown; readonly properties?: unknown };
  const names = Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [];
  const missing = names.find(
    (name) => !Object.hasOwn(given, name) && !Object.hasOwn(fieldsOf(fieldsOf(properties)?.[name]) ?? {}, 'default'),
  );
  if (missing === undefined) return undefined;
  return citing(mcpSources.toolInputs, notFailed(response, `a call of ${tool.name} without ${missing}`));
};

/** A result may also ask for input, or be a task. */
export function judgeToolResult(seen: Seen): Judged {
  const request = seenRequest(seen);
  const result = fieldsOf(request?.response.message?.result);
  if (request?.method !== 'tools/call' || result === undefined || result['task'] !== undefined) return undefined;
  if (request.params['task'] !== undefined || !['complete', undefined].includes(result['resultType'] as undefined))
    return undefined;
  return citing(mcpSources.toolResult, hasContent(result, seen.exchange));
}
