/** Identifies responses that are not checked against the documents. */
import { operation } from './operations.ts';
import type { OperationId } from './operations.ts';
import type { UncheckedReason } from './oracle.ts';

/** Returns why the response is not checked, or undefined if it is. Header names must be lowercase. */
export function uncheckedReason(
  id: OperationId,
  status: number,
  headers: Readonly<Record<string, string>>,
): Extract<UncheckedReason, 'a message of MCP' | 'a stream'> | undefined {
  if (isMcp(id)) return 'a message of MCP';
  const isWatch = id === 'watchDirectory' && status >= 200 && status <= 299;
  return isWatch || headers['content-type']?.startsWith('text/event-stream') === true ? 'a stream' : undefined;
}

/** Whether an operation exchanges MCP messages, whose content is not documented. */
export const isMcp = (id: OperationId): boolean => operation(id).path.endsWith('/mcp');
