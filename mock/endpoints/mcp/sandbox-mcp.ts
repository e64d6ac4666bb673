/** The MCP server of a sandbox, for POST, GET and DELETE of the streamable HTTP transport. */
import type { Call } from '../endpoint.ts';
import type { Reply } from '../../http/reply.ts';
import { exchange } from '../../domains/mcp/exchange.ts';
import { requireKnownOrigin } from '../../domains/mcp/origin.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';

type Id = 'postSandboxMcp' | 'getSandboxMcp' | 'deleteSandboxMcp';

export async function sandboxMcp(call: Call<Id>): Promise<Reply<never>> {
  requireKnownOrigin(call);
  const { world, workspace, path } = call;
  const { sandboxName: name } = path as unknown as { readonly sandboxName: string };
  const sandbox = sandboxOf(call);
  // Loaded on demand: loading the SDK takes longer than starting the mock.
  const [{ createLiveServer }, { sandboxServer }] = await Promise.all([
    import('../../domains/mcp/live-server.ts'),
    import('../../domains/mcp/sandbox-server.ts'),
  ]);
  const make = () =>
    createLiveServer(
      () => sandboxServer(name, sandboxOf({ world, workspace, path }), world.clock),
      world.random,
      world.choices.mcp.sandbox,
      () => world.mcp.sessions() > world.limits.mcpSessions,
    );
  return exchange(call, world.mcp.open(`${workspace.name}/sandboxes/${name}`, sandbox.uuid, make));
}
