/** What a request of the streamable HTTP transport is answered that belongs to no session (MCP 2025-11-25, Session Management). */

/** A request that would begin no session, and names none. */
export function noSession(): Response {
  const how = 'send a valid initialize request first, then repeat the Mcp-Session-Id header of its answer';
  return refusal(400, -32_000, `Bad Request: there is no session; ${how}.`);
}

/** 404 tells a client to initialize again. */
export function unknownSession(): Response {
  return refusal(404, -32_001, 'Session not found: it has ended, or another caller began it. Initialize again.');
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
