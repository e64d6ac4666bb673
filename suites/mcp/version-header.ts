/** Checks that an invalid MCP-Protocol-Version header is refused (MCP 2025-11-25, Transports). */
import type { Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { request } from '../kit/mcp/post.ts';
import { inSession } from '../kit/mcp/session.ts';

/** The first version that has the header. */
const FIRST = '2025-06-18';

/** No version of MCP, past or future. */
const invalidVersions = ['assay', '1999-01-01', `${FIRST}x`];

export const checkVersionHeader = (run: Run, endpoint: Endpoint, refused: number): Promise<void> =>
  inSession(run, endpoint, async ({ protocolVersion, sessionId, ...session }) => {
    run.need((protocolVersion ?? '') >= FIRST, `an MCP server that chooses version ${FIRST} or a later one`);
    const { message } = await session.request('ping');
    run.need(message?.result, 'an MCP server that responds to ping');
    await run.forEach(invalidVersions, async (version) => {
      const headers = { 'Mcp-Session-Id': sessionId, 'MCP-Protocol-Version': version };
      const id = `version-${version}`;
      const { exchange } = await request({ run, endpoint, headers }, id, { jsonrpc: '2.0', id, method: 'ping' });
      return status(exchange, refused);
    });
  });
