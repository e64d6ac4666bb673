/** Checks the Origin header of MCP requests, against DNS rebinding (MCP 2025-11-25, Security Warning). */
import { isLoopbackOrigin } from '../../../spec/network/loopback.ts';
import type { WorldState } from '../../state/world-state.ts';
import { forbidden, quote } from '../../http/problems.ts';

/** Throws forbidden for a web page that is neither on this machine nor allowed by the world. Programs send no Origin. */
export function requireKnownOrigin({
  world,
  headers,
}: {
  readonly world: Pick<WorldState, 'mcpOrigins'>;
  readonly headers: { readonly origin?: string | undefined };
}): void {
  const { origin } = headers;
  if (origin === undefined || isLoopbackOrigin(origin)) return;
  const { mcpOrigins } = world;
  if (mcpOrigins.includes('*') || mcpOrigins.includes(origin)) return;
  const allowed = ['pages of this machine', ...mcpOrigins].join(', ');
  throw forbidden(`Origin is ${quote(origin)}; allowed: ${allowed}. A world file allows more with mcpOrigins.`);
}
