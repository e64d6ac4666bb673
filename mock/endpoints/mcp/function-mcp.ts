/** The MCP server of a function, for POST, GET and DELETE of the streamable HTTP transport. */
import type { Call } from '../endpoint.ts';
import type { Reply } from '../../http/reply.ts';
import { exchange } from '../../domains/mcp/exchange.ts';
import { requireKnownOrigin } from '../../domains/mcp/origin.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { requireRoomForMetering } from '../../domains/resources/room.ts';
import { meterCompute } from '../../domains/resources/uses.ts';
import { connectionProblem, mailConnectionOf } from '../../domains/resources/connection-secrets.ts';
import { recordMessage } from '../../domains/inference/messages.ts';
import type { McpServer } from '@modelcontextprotocol/server';
import type { functionServer as FunctionServer } from '../../domains/mcp/function-server.ts';
import type { SendMail } from '../../domains/mcp/mail-tools.ts';
import { servingWorkload, type Workload } from '../../domains/resources/workloads.ts';
import type { World } from '../../world/world.ts';
import { afterColdStart, onInstance } from '../inference/on-instance.ts';

type Id = 'postFunctionMcp' | 'getFunctionMcp' | 'deleteFunctionMcp';

export async function functionMcp(call: Call<Id>): Promise<Reply<never>> {
  requireKnownOrigin(call);
  const { world, workspace, path } = call;
  const name = path.serverName;
  const serving = () => servingWorkload(world, workspace, 'functions', name);
  // A notification or a response to the server must not wait for the request that it belongs to.
  const handle = requestsIn(call.body).length > 0 ? onInstance : afterColdStart;
  requireRoomForMetering(world);
  return handle(call, serving(), (workload) => respond(call, workload, serving));
}

async function respond(call: Call<Id>, workload: Workload, serving: () => Workload): Promise<Reply<never>> {
  const { world, workspace } = call;
  const { name, uuid, createdAt } = workload.resource;
  // Loaded on demand: loading the SDK takes longer than starting the mock.
  const [{ createLiveServer }, { functionServer }] = await Promise.all([
    import('../../domains/mcp/live-server.ts'),
    import('../../domains/mcp/function-server.ts'),
  ]);
  const make = () =>
    createLiveServer(
      () => serverOf(world, serving, functionServer),
      world.random,
      world.choices.mcp.function,
      () => world.mcp.sessions() > world.limits.mcpSessions,
    );
  const live = world.mcp.open(`${workspace.name}/functions/${name}`, uuid ?? String(createdAt), make);
  const reply = await exchange(call, live);
  if (reply.status < 300) for (const message of requestsIn(call.body)) noteRequest(world, workload, message);
  return reply;
}

/** `serving`: the function as it is at each call. */
function serverOf(world: World, serving: () => Workload, functionServer: typeof FunctionServer): McpServer {
  const { workspace, resource } = serving();
  const { name } = resource;
  const connectionNow = () => mailConnectionOf(world, workspace, serving().resource);
  const send: SendMail = (message) => {
    const connection = connectionNow();
    // An update may have removed it since the session began.
    if (connection === undefined) return `Function "${name}" has no mail connection any more.`;
    recordMessage(world, { workspace: workspace.name, function: name, connection, ...message });
    return undefined;
  };
  return functionServer(resource, {
    problem: () => connectionProblem(world, workspace, serving().resource),
    ...(connectionNow() !== undefined && { send }),
  });
}

/** In JSON-RPC 2.0 a request has a method and an id, a notification no id, and a response no method. */
function requestsIn(body: unknown): { readonly method: string; readonly params?: unknown }[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(
    (message): message is { method: string } =>
      typeof message === 'object' && message !== null && 'method' in message && 'id' in message,
  );
}

function noteRequest(world: World, workload: Workload, { method, params }: { method: string; params?: unknown }): void {
  recordInvocation(world, workload, { by: 'call', inputs: JSON.stringify({ method, params }), status: 200 });
  meterCompute(world, 'mcp_server_compute_runtime_gbs', workload.resource, world.clock.now());
}
