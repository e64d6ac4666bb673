/** The MCP endpoint of a sandbox. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { inSession } from '../kit/mcp/session.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { callAll, callsOf, unlistedToolMismatches } from './tool-calls.ts';
import { hasTools, listTools } from './tools.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

conforms('mcp.sandboxes.speaks-streamable-http', (run) =>
  checkStreamableHttp(run, sandboxEndpoint, { tools: () => toolMismatches(run) }),
);

const UNLISTED_TOOL = 'assay-unknown';
const MAX_CALLED_TOOLS = 2;

/** Calls an unlisted tool and, in runs that may write, the first tools that only read. */
const toolMismatches = (run: Run): Promise<Mismatch[]> =>
  inSession(run, sandboxEndpoint, async (session) => {
    if (!hasTools(session)) return [];
    const { tools } = await listTools(session);
    const callable = tools.filter(({ onlyReads, needsTask }) => onlyReads && !needsTask && run.target.allow !== 'read');
    const calls = callable.flatMap((tool) => callsOf(tool).slice(0, 1)).slice(0, MAX_CALLED_TOOLS);
    return [...(await unlistedToolMismatches(session, UNLISTED_TOOL)), ...((await callAll(session, calls)) ?? [])];
  });

conforms('mcp.sandboxes.unknown-method', (run) =>
  checkUnknownMethods(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.parse-error', (run) =>
  checkMalformedMessages(run, sandboxEndpoint, run.rule.values.jsonRpcCode),
);

conforms('mcp.sandboxes.version-header-checked', (run) =>
  checkVersionHeader(run, sandboxEndpoint, run.rule.values.status),
);
