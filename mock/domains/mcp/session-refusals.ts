/** Responses to requests without a valid session (MCP 2025-11-25, Session Management). */

/** For a request without a session id that is not an initialize request. */
export function noSession(): Response {
  const how = 'send a valid initialize request first, then send the Mcp-Session-Id header of its response';
  return refusal(400, -32_000, `Bad Request: there is no session; ${how}.`);
}

/** 404 tells a client to initialize again. */
export function unknownSession(): Response {
  return refusal(404, -32_001, 'Session not found: it has ended, or another caller began it. Initialize again.');
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
