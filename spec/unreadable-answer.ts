/** Answers that no reader of the documents is asked about, whatever they hold. */
import { operation } from './operations.ts';
import type { OperationId } from './operations.ts';
import type { LeftOut } from './oracle.ts';

/** `headers` have their names in lower case. */
export function whyUnread(
  id: OperationId,
  status: number,
  headers: Readonly<Record<string, string>>,
): Extract<LeftOut, 'a message of MCP' | 'a stream'> | undefined {
  if (isMcp(id)) return 'a message of MCP';
  const isWatch = id === 'watchDirectory' && status >= 200 && status <= 299;
  return isWatch || headers['content-type']?.startsWith('text/event-stream') === true ? 'a stream' : undefined;
}

/** What its messages hold, in both directions, is not for the documents. */
export const isMcp = (id: OperationId): boolean => operation(id).path.endsWith('/mcp');
