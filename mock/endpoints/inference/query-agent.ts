/** Calls an agent. */
import { type OptionalAuthCall, type OptionalAuthEndpoint } from '../endpoint.ts';
import { Problem, withHeaders } from '../../http/problems.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { respondAsAgent, requireSuccess } from '../../domains/inference/agent-response.ts';
import { drawColdStart, noteUse } from '../../domains/inference/instances.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { chooseRevision, ofRevision } from '../../domains/inference/revisions.ts';
import { servingWorkload, type Workload } from '../../domains/resources/workloads.ts';
import { requireRoomForMetering } from '../../domains/resources/room.ts';
import { meterCompute } from '../../domains/resources/uses.ts';
import { findAccessibleAgent, threadOf } from './open-agent.ts';

export const queryAgent: OptionalAuthEndpoint<'queryAgent'> = (call) => respondNow(call, findAccessibleAgent(call));

/** The same through a trigger, whose id the invocation then has. */
export async function respondNow(call: OptionalAuthCall, workload: Workload, trigger?: string): Promise<Reply> {
  const { world } = call;
  const { resource } = workload;
  requireRoomForMetering(world);
  const leave = await world.instances.enter(world, resource, call.onLeave);
  try {
    const coldStart = drawColdStart(world, resource);
    noteUse(world, resource);
    if (coldStart > 0) await world.timers.wait(coldStart, call.onLeave);
    // It may have been disabled or deleted since the request arrived.
    const current = servingWorkload(world, workload.workspace, 'agents', resource.name);
    const revision = chooseRevision(world, current.resource, threadOf(call) ?? call.credential?.caller.id);
    const served = { ...current, resource: ofRevision(current.resource, revision) };
    const headers = { 'x-mock-revision': revision, ...(coldStart > 0 && { 'x-mock-cold-start': `${coldStart}ms` }) };
    try {
      return { ...(await respond(call, served, trigger)), headers };
    } catch (error) {
      throw error instanceof Problem ? withHeaders(error, headers) : error;
    }
  } finally {
    noteUse(world, resource);
    leave();
  }
}

async function respond(call: OptionalAuthCall, workload: Workload, trigger: string | undefined): Promise<Reply> {
  const { world, body } = call;
  const { reply, body: defaultBody } = respondAsAgent(world, workload, body.inputs, threadOf(call));
  const status = reply.error?.status ?? 200;
  const through = trigger !== undefined && { trigger };
  recordInvocation(world, workload, { by: 'call', ...through, inputs: body.inputs, status });
  const durationMs = reply.delayMs === 0 ? undefined : reply.delayMs;
  meterCompute(world, 'agent_compute_runtime_gbs', workload.resource, world.clock.now(), durationMs);
  if (reply.delayMs > 0) await world.timers.wait(reply.delayMs, call.onLeave);
  requireSuccess(reply);
  return ok(reply.body ?? defaultBody);
}
