/** The MCP server of a function, for POST, GET and DELETE of the streamable HTTP transport. */
import type { Call, Reply } from '../../endpoint.ts';
import { exchange } from '../../mcp/exchange.ts';
import { requireKnownOrigin } from '../../mcp/origin.ts';
import { servingFunction } from '../../mcp/serving-function.ts';

type Id = 'postFunctionMcp' | 'getFunctionMcp' | 'deleteFunctionMcp';

export async function functionMcp(call: Call<Id>): Promise<Reply<never>> {
  requireKnownOrigin(call);
  const { world, workspace, path } = call;
  const name = path.serverName;
  const { uuid, createdAt } = servingFunction(world, workspace, name);
  // The SDK takes longer to load than the mock to start: it is loaded when first needed.
  const [{ createLiveServer }, { functionServer }] = await Promise.all([
    import('../../mcp/live-server.ts'),
    import('../../mcp/function-server.ts'),
  ]);
  const make = () => createLiveServer(() => functionServer(servingFunction(world, workspace, name)), world.random);
  return exchange(call, world.mcp.open(`${workspace.name}/functions/${name}`, uuid ?? String(createdAt), make));
}
