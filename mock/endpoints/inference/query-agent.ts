/** Calls an agent. */
import { type OptionalAuthCall, type OptionalAuthEndpoint } from '../endpoint.ts';
import { Problem, withHeaders } from '../../http/problems.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { respondAsAgent, requireSuccess } from '../../domains/inference/agent-response.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { chooseRevision, ofRevision } from '../../domains/inference/revisions.ts';
import { findWorkload, type Workload } from '../../domains/resources/workloads.ts';
import { requireRoomForMetering } from '../../domains/resources/room.ts';
import { meterCompute } from '../../domains/resources/uses.ts';
import type { Resource } from '../../state/resources.ts';
import { findAccessibleAgent, sessionOf, threadOf } from './open-agent.ts';
import { onChosenInstance } from './on-instance.ts';

export const queryAgent: OptionalAuthEndpoint<'queryAgent'> = (call) => respondNow(call, findAccessibleAgent(call));

/** The same through a trigger, whose id the invocation then has. */
export async function respondNow(call: OptionalAuthCall, workload: Workload, trigger?: string): Promise<Reply> {
  requireRoomForMetering(call.world);
  const choose = (waiting: Workload): ChosenRevision => {
    const { resource } = findWorkload(call.world, waiting.workspace, 'agents', waiting.resource.name) ?? waiting;
    const revision = chooseRevision(call.world, { ...waiting, resource }, sessionOf(call));
    return { resource: ofRevision(resource, revision), revision };
  };
  const respondAs = async (current: Workload, { revision }: ChosenRevision): Promise<Reply> => {
    const served = { ...current, resource: ofRevision(current.resource, revision) };
    const headers = { 'x-mock-revision': revision };
    try {
      return { ...(await respond(call, served, trigger)), headers };
    } catch (error) {
      throw error instanceof Problem ? withHeaders(error, headers) : error;
    }
  };
  return onChosenInstance(call, workload, choose, respondAs);
}

interface ChosenRevision {
  /** With the runtime of the revision. */
  readonly resource: Resource;
  readonly revision: string;
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
