/** Checks the tools of a sandbox, in each era that it supports. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { withSessions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { overlapMismatches, slowestCall } from './overlapping-calls.ts';
import { callsOf, callTool, callUnlistedTool, isUnknownTool } from './tool-calls.ts';
import type { CalledTool } from './tool-calls.ts';
import { hasTools, listTools, UNLISTED_TOOL } from './tools.ts';

const MAX_CALLED_TOOLS = 2;

/** Calls an unlisted tool and, in runs that may write, the first tools that only read: these must not be unknown. */
export const sandboxToolMismatches = (run: Run): Promise<Mismatch[]> =>
  withSessions(run, sandboxEndpoint, async (sessions) => {
    const found: Mismatch[] = [];
    for (const session of sessions.filter(hasTools)) found.push(...(await mismatchesIn(run, session)));
    return found;
  });

async function mismatchesIn(run: Run, session: Session): Promise<Mismatch[]> {
  const { tools } = await listTools(session);
  const callable = tools.filter(({ onlyReads, needsTask }) => onlyReads && !needsTask && run.target.allow !== 'read');
  const calls = callable.flatMap((tool) => callsOf(tool).slice(0, 1)).slice(0, MAX_CALLED_TOOLS);
  const { response: unlisted, mismatches } = await callUnlistedTool(session, UNLISTED_TOOL);
  const called: CalledTool[] = [];
  for (const call of calls) {
    const response = await callTool(session, call);
    called.push({ call, response });
    // Otherwise it may fail: the arguments need not make sense to the tool.
    if (isUnknownTool(response, call.name, { response: unlisted, name: UNLISTED_TOOL }))
      mismatches.push({
        expected: `a call of the listed tool ${JSON.stringify(call.name)}`,
        actual: `the error of an unlisted tool: ${formatValue(response.message?.error ?? response.message?.result)}`,
        exchange: response.exchange,
        source: mcpSources.toolCall,
      });
  }
  return [
    ...mismatches,
    ...(await overlapMismatches(run, sandboxEndpoint, session, slowestCall(run, session, called))),
  ];
}
